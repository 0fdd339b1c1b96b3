"""Names of rooms in all languages."""

import pytest

from custom_components.chatterbox.intents.room_names import load_room_names


@pytest.mark.parametrize(
    ("language", "name", "expected"),
    [
        ("en", "kuche", "Kitchen"),
        ("de", "living room", "Wohnzimmer"),
        ("nl", "schlafzimmer", "Slaapkamer"),
        ("en-GB", "cuisine", "Kitchen"),
        ("en", "bathroom", None),
        ("en", "kitchen", "Kitchen"),
    ],
)
def test_room_is_translated(language: str, name: str, expected: str | None) -> None:
    assert load_room_names(language).get(name) == expected


def test_unknown_language_has_no_rooms() -> None:
    assert load_room_names("xx") == {}
