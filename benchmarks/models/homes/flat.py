"""A small German city flat, with a voice satellite in the living room."""

from homeassistant.components.cover import CoverDeviceClass
from homeassistant.components.light.const import ColorMode
from homeassistant.components.media_player.const import MediaPlayerState

from . import table
from .table import Home

FLAT = Home(
    key="flat",
    name="Stadtwohnung",
    language="de",
    areas=dict.fromkeys(("Wohnzimmer", "Küche", "Schlafzimmer", "Bad", "Flur", "Balkon")),
    satellites=("Wohnzimmer",),
    items=(
        table.light("deckenlampe", "Deckenlampe", "Wohnzimmer"),
        table.light("stehlampe", "Stehlampe", "Wohnzimmer", ColorMode.HS),
        table.light("kuechenlicht", "Küchenlicht", "Küche"),
        table.light("arbeitsplatte", "Arbeitsplatte", "Küche", ColorMode.ONOFF),
        table.light("nachttischlampe", "Nachttischlampe", "Schlafzimmer"),
        table.light("spiegellicht", "Spiegellicht", "Bad", ColorMode.ONOFF),
        table.light("flurlicht", "Flurlicht", "Flur"),
        table.light("lichterkette", "Lichterkette", "Balkon", ColorMode.ONOFF),
        table.switch("kaffeemaschine", "Kaffeemaschine", "Küche"),
        table.switch("handtuchheizung", "Handtuchheizung", "Bad"),
        table.switch("router", "Router", "Flur", on=True, exposed=False),
        table.cover("rollo_wohnzimmer", "Rollo Wohnzimmer", "Wohnzimmer", position=100),
        table.cover("rollo_schlafzimmer", "Rollo Schlafzimmer", "Schlafzimmer", position=100),
        table.cover(
            "markise", "Markise", "Balkon", CoverDeviceClass.AWNING, aliases=("Sonnenschutz",)
        ),
        table.climate("heizung_wohnzimmer", "Heizung", "Wohnzimmer", target=20, current=19.4),
        table.climate("heizung_bad", "Badheizung", "Bad", target=19, current=21.8),
        table.lock("wohnungstuer", "Wohnungstür", "Flur", locked=False),
        table.vacuum("kruemel", "Krümel", "Flur", aliases=("Saugroboter",)),
        table.media_player(
            "musikbox", "Musikbox", "Wohnzimmer", MediaPlayerState.PLAYING, aliases=("Musik",)
        ),
        table.media_player("fernseher", "Fernseher", "Wohnzimmer"),
        table.todo("einkaufsliste", "Einkaufsliste", "Brot", "Käse"),
        table.scene("filmabend", "Filmabend", "Wohnzimmer"),
        table.sensor("co2", "CO2 Schlafzimmer", "Schlafzimmer", 870, ("carbon_dioxide", "ppm")),
        table.sensor("temp_balkon", "Temperatur Balkon", "Balkon", 7.5, table.TEMPERATURE),
        table.binary_sensor("fenster_kueche", "Küchenfenster", "Küche", "window", on=True),
        table.binary_sensor("fenster_bad", "Badfenster", "Bad", "window"),
    ),
)
