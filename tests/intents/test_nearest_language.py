"""Choice of the nearest of several languages."""

import pytest

from custom_components.chatterbox.intents.nearest_language import nearest_language


@pytest.mark.parametrize(
    ("language", "nearest"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        ("pt-BR", "pt-BR"),
        ("pt-PT", "pt"),
        ("zh", "zh-Hans"),
        ("tlh", None),
        ("*", None),
    ],
)
def test_nearest_language(language: str, nearest: str | None) -> None:
    for tags in ("en de pt pt-BR zh-Hans zh-Hant", "zh-Hant zh-Hans pt-BR pt de en"):
        assert nearest_language(language, tags.split()) == nearest
