"""A family's bungalow with children's rooms and a garden; some of its names are French."""

from homeassistant.components.cover import CoverDeviceClass
from homeassistant.components.light.const import ColorMode
from homeassistant.components.media_player.const import MediaPlayerState

from . import table
from .table import Home

FAMILY = Home(
    key="family",
    name="The bungalow",
    language="en",
    areas=dict.fromkeys(
        ("Salon", "Cuisine", "Emma's room", "Noah's room", "Nursery", "Laundry", "Yard")
    ),
    satellites=("Nursery", "Salon"),
    items=(
        table.light("emma_ceiling", "Emma's light", "Emma's room"),
        table.light("emma_unicorn", "Unicorn lamp", "Emma's room", ColorMode.HS),
        table.light("noah_ceiling", "Noah's light", "Noah's room"),
        table.light("noah_strip", "Gaming strip", "Noah's room", ColorMode.HS),
        table.light("nightlight", "Night light", "Nursery", ColorMode.HS),
        table.light("lustre", "Lustre", "Salon", aliases=("chandelier",)),
        table.light("lampadaire", "Lampadaire", "Salon"),
        table.light("plafonnier", "Plafonnier", "Cuisine"),
        table.light("laundry", "Laundry light", "Laundry", ColorMode.ONOFF),
        table.light("floodlight", "Floodlight", "Yard", ColorMode.ONOFF),
        table.switch("trampoline", "Trampoline lights", "Yard"),
        table.switch("cafetiere", "Cafetière", "Cuisine"),
        table.cover("volet_salon", "Volet salon", "Salon"),
        table.cover("nursery", "Nursery blind", "Nursery", CoverDeviceClass.BLIND, position=100),
        table.lock("gate", "Garden gate", "Yard"),
        table.fan("noah", "Noah's fan", "Noah's room", percentage=30),
        table.humidifier("nursery", "Humidifier", "Nursery", target=45),
        table.climate("salon", "Thermostat", "Salon", target=20.5, current=20.1),
        table.lawn_mower("shaun", "Shaun", "Yard", aliases=("lawn mower", "mower")),
        table.media_player("emma", "Story box", "Emma's room", MediaPlayerState.PLAYING),
        table.media_player("salon_tv", "TV", "Salon", MediaPlayerState.PLAYING),
        table.todo("chores", "Chores", "Feed the cat", "Water the plants"),
        table.todo("courses", "Liste de courses", "Beurre", "Pommes"),
        table.scene("bedtime", "Bedtime"),
        table.calendar("family", "Family calendar", ("Dentist Emma", 1, 15), ("Judo Noah", 2, 17)),
        table.weather("home", "Forecast Home", "rainy", 12.3, ("rainy", 13, 8), ("sunny", 19, 9)),
        table.sensor("nursery_temp", "Nursery temperature", "Nursery", 20.7, table.TEMPERATURE),
        table.sensor("nursery_hum", "Nursery humidity", "Nursery", 38, ("humidity", "%")),
        table.sensor("dryer", "Dryer time left", "Laundry", 35, ("duration", "min")),
        table.binary_sensor("front_motion", "Driveway motion", "Yard", "motion"),
        table.binary_sensor("mailbox", "Mailbox", "Yard", "opening", on=True),
        table.binary_sensor("leak", "Washer leak", "Laundry", "moisture"),
        table.light("server_led", "Server LED", "Laundry", exposed=False),
    ),
)
