"""A Polish apartment, whose names are inflected in what is said of them."""

from homeassistant.components.light.const import ColorMode
from homeassistant.components.media_player.const import MediaPlayerState

from . import table
from .table import Home

APARTMENT = Home(
    key="apartment",
    name="Mieszkanie",
    language="pl",
    areas=dict.fromkeys(
        ("Salon", "Kuchnia", "Sypialnia", "Pokój Zosi", "Łazienka", "Przedpokój", "Balkon")
    ),
    satellites=("Salon", "Kuchnia"),
    items=(
        table.light("zyrandol", "Żyrandol", "Salon"),
        table.light("lampa_stojaca", "Lampa stojąca", "Salon", ColorMode.HS),
        table.light("kuchnia", "Światło w kuchni", "Kuchnia"),
        # The same name in two bedrooms.
        table.light("lampka_sypialnia", "Lampka nocna", "Sypialnia"),
        table.light("lampka_zosi", "Lampka nocna", "Pokój Zosi", ColorMode.HS),
        table.light("lustro", "Lustro", "Łazienka", ColorMode.ONOFF),
        table.light("przedpokoj", "Światło", "Przedpokój", ColorMode.ONOFF),
        table.switch("czajnik", "Czajnik", "Kuchnia"),
        # A plug, which is named after itself and not after the fairy lights in it.
        table.switch("gniazdko", "Gniazdko balkon", "Balkon", aliases=("lampki na balkonie",)),
        table.cover("rolety_salon", "Rolety w salonie", "Salon", position=100),
        table.cover("roleta", "Roleta", "Sypialnia", position=100),
        table.climate("salon", "Ogrzewanie", "Salon", target=21, current=20.6),
        table.climate("zosia", "Kaloryfer Zosi", "Pokój Zosi", target=19, current=18.7),
        table.fan("sypialnia", "Wentylator", "Sypialnia"),
        table.lock("drzwi", "Drzwi wejściowe", "Przedpokój", locked=False),
        table.vacuum("zbyszek", "Zbyszek", "Przedpokój", aliases=("odkurzacz", "robot")),
        table.media_player("telewizor", "Telewizor", "Salon"),
        table.media_player("glosnik", "Głośnik", "Kuchnia", MediaPlayerState.PLAYING),
        table.todo("zakupy", "Zakupy", "Chleb", "Masło"),
        table.scene("wieczor_filmowy", "Wieczór filmowy", "Salon"),
        table.sensor("temp_balkon", "Temperatura na balkonie", "Balkon", 3.4, table.TEMPERATURE),
        table.sensor("pralka", "Pralka", "Łazienka", 42, ("duration", "min")),
        table.binary_sensor("okno_sypialnia", "Okno w sypialni", "Sypialnia", "window", on=True),
    ),
)
