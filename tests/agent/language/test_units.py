"""Tests of spoken units and timestamps."""

import pytest

from custom_components.chatterbox.agent.language.units import spoken_units


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("21 °C", "de", "21 Grad Celsius"),
        ("-1 °C", "fr-FR", "moins 1 degré Celsius"),
        ("5 kWh", "es", "5 kilovatios hora"),
        ("50%", "nl", "50 procent"),
        ("50%", "xx", "50%"),
        ("3 mph", "de", "3 mph"),
        ("50%", "", "50%"),
        ("v1.2.3 costs 5W", "en", "v1.2.3 costs 5 watts"),
        ("1,5 °C", "fr", "1,5 degré Celsius"),
        ("2 °C", "fr", "2 degrés Celsius"),
        ("1 kWh, 2 kWh", "it", "1 chilowattora, 2 chilowattora"),
        ("-1 °C, 2 °C", "it-IT", "meno 1 grado Celsius, 2 gradi Celsius"),
        ("1 °C", "pl", "1 stopień Celsjusza"),
        ("3 °C", "pl", "3 stopnie Celsjusza"),
        ("5 °C", "pl", "5 stopni Celsjusza"),
        ("12 °C", "pl", "12 stopni Celsjusza"),
        ("22 °C", "pl", "22 stopnie Celsjusza"),
        ("-1,5 °C", "pl", "minus 1,5 stopnia Celsjusza"),
        ("1,000 km", "en", "1,000 kilometres"),
        ("1.000 km", "de", "1.000 Kilometer"),
        ("at 2026-11-21T14:30:05.123Z", "en", "at 2026-11-21 14:30:05"),
    ],
)
def test_units_are_spoken_in_the_language(text: str, language: str, said: str) -> None:
    """Units without a translation are unchanged."""
    assert spoken_units(text, language) == said
