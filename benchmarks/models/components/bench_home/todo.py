"""To-do lists of a benchmark home."""

from dataclasses import replace
from typing import override

from homeassistant.components.todo.entity import TodoItem, TodoListEntity

from . import platform_setup
from .entity import TableEntity


class TableTodoList(TableEntity, TodoListEntity):
    """A to-do list."""

    @override
    async def async_create_todo_item(self, item: TodoItem) -> None:
        items = self.todo_items or []
        self.change(todo_items=[*items, replace(item, uid=f"new-{len(items)}")])

    @override
    async def async_update_todo_item(self, item: TodoItem) -> None:
        items = self.todo_items or []
        self.change(todo_items=[item if old.uid == item.uid else old for old in items])

    @override
    async def async_delete_todo_items(self, uids: list[str]) -> None:
        items = self.todo_items or []
        self.change(todo_items=[item for item in items if item.uid not in uids])


async_setup_entry = platform_setup(TableTodoList, "todo")
