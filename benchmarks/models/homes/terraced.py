"""A Dutch terraced house with two floors, where names repeat across areas."""

from homeassistant.components.cover import CoverDeviceClass
from homeassistant.components.light.const import ColorMode
from homeassistant.components.media_player.const import MediaPlayerState

from . import table
from .table import Home

DOWN, UP = "Beneden", "Boven"

TERRACED = Home(
    key="terraced",
    name="Rijtjeshuis",
    language="nl",
    areas={
        "Woonkamer": DOWN,
        "Keuken": DOWN,
        "Hal": DOWN,
        "Overloop": UP,
        "Slaapkamer": UP,
        "Kamer Sem": UP,
        "Badkamer": UP,
        "Tuin": None,
    },
    satellites=("Woonkamer", "Slaapkamer"),
    items=(
        table.light("plafond", "Grote lamp", "Woonkamer"),
        table.light("staande_lamp", "Staande lamp", "Woonkamer", ColorMode.HS),
        # A light that is named after the furniture below it.
        table.light("eettafel", "Eettafel", "Woonkamer"),
        table.light("keuken", "Keukenlamp", "Keuken"),
        table.light("ledstrip", "Ledstrip", "Keuken", ColorMode.HS),
        # The same name on both floors.
        table.light("hal", "Lamp", "Hal", ColorMode.ONOFF),
        table.light("overloop", "Lamp", "Overloop"),
        table.light("bed", "Bedlampje", "Slaapkamer"),
        table.light("sem", "Lamp Sem", "Kamer Sem"),
        table.light("tuin", "Tuinverlichting", "Tuin", ColorMode.ONOFF),
        table.switch("koffie", "Koffiezetapparaat", "Keuken"),
        table.switch("vriezer", "Vriezer", "Keuken", on=True, exposed=False),
        # The same name in two bedrooms.
        table.cover("rolluik", "Rolluik", "Slaapkamer", position=100),
        table.cover("rolluik_sem", "Rolluik", "Kamer Sem", position=100),
        table.cover("gordijnen", "Gordijnen", "Woonkamer", CoverDeviceClass.CURTAIN, position=100),
        table.cover("zonnescherm", "Zonnescherm", "Tuin", CoverDeviceClass.AWNING),
        table.climate(
            "woonkamer",
            "Thermostaat",
            "Woonkamer",
            target=19.5,
            current=19.2,
            aliases=("verwarming",),
        ),
        table.climate("badkamer", "Radiator", "Badkamer", target=18, current=20.4),
        table.fan("slaapkamer", "Ventilator", "Slaapkamer"),
        table.lock("voordeur", "Voordeur", "Hal", locked=False),
        table.lock("achterdeur", "Achterdeur", "Keuken"),
        table.vacuum("sjors", "Sjors", "Woonkamer", aliases=("stofzuiger", "robotstofzuiger")),
        table.media_player("tv", "Tv", "Woonkamer"),
        table.media_player("radio", "Radio", "Keuken", MediaPlayerState.PLAYING),
        table.todo("boodschappen", "Boodschappen", "Havermelk", "Bananen"),
        table.scene("filmavond", "Filmavond", "Woonkamer"),
        table.script("vertrek", "Vertrek", "Zet alles uit als iedereen weggaat."),
        table.sensor("stroom", "Stroomverbruik", "Hal", 412, ("power", "W")),
        table.sensor("wasmachine", "Wasmachine", "Badkamer", 25, ("duration", "min")),
        table.binary_sensor("raam_sem", "Raam Sem", "Kamer Sem", "window", on=True),
        table.weather("thuis", "Thuis", "rainy", 6.8, ("rainy", 9, 5), ("sunny", 11, 3)),
    ),
)
