"""Sentences of the household in the apartment, of the seventh set."""

from functools import partial

from .sentence import (
    ACTIVATED,
    CLEANING,
    CLOSED,
    LOCKED,
    OFF,
    ON,
    SMALL_TALK,
    Kind,
    Sentence,
    affirms,
    degrees,
    listed,
    on,
    percent,
    ticked,
)

CHANDELIER, STANDING, KITCHEN = "light.zyrandol", "light.lampa_stojaca", "light.kuchnia"
BEDSIDE, ZOSIA = "light.lampka_sypialnia", "light.lampka_zosi"
MIRROR, HALL = "light.lustro", "light.przedpokoj"
KETTLE, FAIRY = "switch.czajnik", "switch.gniazdko"
LIVING_BLINDS, BED_BLIND = "cover.rolety_salon", "cover.roleta"
HEATING, RADIATOR, FAN = "climate.salon", "climate.zosia", "fan.sypialnia"
DOOR, ROBOT = "lock.drzwi", "vacuum.zbyszek"
SPEAKER, LIST = "media_player.glosnik", "todo.zakupy"

_polish = partial(Sentence, language="pl")
_german = partial(Sentence, language="de")
_italian = partial(Sentence, language="it")

_LOUDER = {"volume": (0.41, 1.0)}
_NOT_DONE = (
    r"^(?!.*\b(?:otworzył[ae]m|otwarto|otwieram|została otwarta)\b)"
    r".*(?:\bnie\b|\bbrak|żadn|niestety|przepraszam)"
)

SEVENTH_APARTMENT_SENTENCES = (
    _polish("Włącz żyrandol", {CHANDELIER: ON}, kind=Kind.PLAIN),
    _polish("Zgaś światło w przedpokoju", {HALL: OFF}, given=on(HALL, KITCHEN), kind=Kind.PLAIN),
    _polish("zapal światło w łazience", {MIRROR: ON}, kind=Kind.PLAIN),
    _polish("Zapal światło w kuchni, to znaczy w przedpokoju", {HALL: ON}, kind=Kind.PLAIN),
    _polish("Czy możesz włączyć czajnik?", {KETTLE: ON}, kind=Kind.INDIRECT),
    _polish(
        "Słońce świeci mi w oczy, zasłoń rolety w salonie",
        {LIVING_BLINDS: CLOSED},
        kind=Kind.INDIRECT,
    ),
    _polish(
        "Wyłącz lampkę nocną w pokoju Zosi",
        {ZOSIA: OFF},
        given=on(ZOSIA, BEDSIDE),
        kind=Kind.SAME_NAME,
    ),
    _polish(
        "Przyciemnij żyrandol do dwudziestu procent",
        {CHANDELIER: percent(20)},
        given=on(CHANDELIER),
        kind=Kind.LEVEL,
    ),
    _polish("Kaloryfer u Zosi na 21 stopni", {RADIATOR: degrees(21)}, kind=Kind.LEVEL),
    _polish("Zrób trochę głośniej", {SPEAKER: _LOUDER}, area="Kuchnia", kind=Kind.MEDIA),
    _polish("Zamknij drzwi na zamek", {DOOR: LOCKED}, kind=Kind.MACHINE),
    _polish("Niech Zbyszek posprząta mieszkanie", {ROBOT: CLEANING}, kind=Kind.MACHINE),
    _polish("Dopisz mleko do zakupów", {LIST: listed("mleko")}, kind=Kind.LIST),
    _polish("Kupiłam już chleb, skreśl go z listy", {LIST: ticked("chleb")}, kind=Kind.LIST),
    _polish("Włącz wieczór filmowy", {"scene.wieczor_filmowy": ACTIVATED}, kind=Kind.SCENE),
    _polish(
        "Zgaś wszystkie światła oprócz lampy stojącej",
        {CHANDELIER: OFF, KITCHEN: OFF, MIRROR: OFF},
        given=on(CHANDELIER, KITCHEN, MIRROR, STANDING),
        kind=Kind.GROUP,
    ),
    _polish(
        "Zgaś światło",
        {CHANDELIER: OFF, STANDING: OFF},
        given=on(CHANDELIER, STANDING, KITCHEN),
        area="Salon",
        kind=Kind.AREA,
    ),
    _polish(
        "Opuść roletę w sypialni i włącz wentylator",
        {BED_BLIND: CLOSED, FAN: ON},
        kind=Kind.COMPOUND,
    ),
    _polish(
        "Włącz lampki na balkonie",
        {FAIRY: ON},
        kind=Kind.FOLLOW_UP,
        then=_polish("Dobra, jednak je wyłącz", {FAIRY: OFF}),
    ),
    _polish(
        "Ile stopni jest w salonie?",
        says=r"\b20[.,]6\b|\b21\b(?![.,]\d)|dwadzieścia",
        kind=Kind.FOLLOW_UP,
        then=_polish("To ustaw ogrzewanie na 22", {HEATING: degrees(22)}),
    ),
    _polish(
        "Czy drzwi wejściowe są zamknięte na klucz?",
        says=(
            r"^(?!.*(?:przepraszam|nie wiem|nie mogę|\btak\b))"
            r".*(?:\bnie\b|otwart|odblokowan|niezamkn)"
        ),
        kind=Kind.STATE,
    ),
    _polish("Za ile skończy się pranie?", says=r"\b42\b|czterdzieści dwi?e", kind=Kind.SENSOR),
    _polish("Którego dzisiaj mamy?", says="%DATE%", kind=Kind.CLOCK),
    _polish("Kto napisał Pana Tadeusza?", says="mickiewicz", kind=Kind.KNOWLEDGE),
    _polish("Dobranoc, do jutra!", says=SMALL_TALK, kind=Kind.TALK),
    _polish("Otwórz bramę garażową", says=_NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    Sentence(
        "Turn off the bedside lamp in the bedroom",
        {BEDSIDE: OFF},
        given=on(BEDSIDE, ZOSIA),
        kind=Kind.SAME_NAME,
    ),
    _german(
        "Ist das Fenster im Schlafzimmer offen?",
        says=affirms(r"\bja\b|\boffen|geöffnet"),
        kind=Kind.STATE,
    ),
    _italian(
        "Quanti gradi ci sono sul balcone?",
        says=r"\b3[.,]4\b|\b3\b(?![.,]\d)|\btre\b",
        kind=Kind.SENSOR,
    ),
)
