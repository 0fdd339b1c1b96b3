"""To-do lists of the table."""

from dataclasses import replace
from typing import override

from homeassistant.components.todo.entity import TodoItem, TodoListEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableTodoList, "todo")


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
