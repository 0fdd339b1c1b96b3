"""All homes under test, with their sentences."""

from collections.abc import Callable, Mapping

from .home import BenchHome, DemoBenchHome, TableBenchHome
from .homes import APARTMENT, FAMILY, FLAT, HOUSE, TERRACED
from .sentences_family import FAMILY_SENTENCES
from .sentences_fifth_family import FIFTH_FAMILY_SENTENCES
from .sentences_fifth_flat import FIFTH_FLAT_SENTENCES
from .sentences_fifth_house import FIFTH_HOUSE_SENTENCES
from .sentences_flat import FLAT_SENTENCES
from .sentences_fourth_family import FOURTH_FAMILY_SENTENCES
from .sentences_fourth_flat import FOURTH_FLAT_SENTENCES
from .sentences_fourth_house import FOURTH_HOUSE_SENTENCES
from .sentences_house import HOUSE_SENTENCES
from .sentences_second_family import SECOND_FAMILY_SENTENCES
from .sentences_second_flat import SECOND_FLAT_SENTENCES
from .sentences_second_house import SECOND_HOUSE_SENTENCES
from .sentences_seventh_apartment import SEVENTH_APARTMENT_SENTENCES
from .sentences_seventh_family import SEVENTH_FAMILY_SENTENCES
from .sentences_seventh_flat import SEVENTH_FLAT_SENTENCES
from .sentences_seventh_house import SEVENTH_HOUSE_SENTENCES
from .sentences_seventh_terraced import SEVENTH_TERRACED_SENTENCES
from .sentences_sixth_family import SIXTH_FAMILY_SENTENCES
from .sentences_sixth_flat import SIXTH_FLAT_SENTENCES
from .sentences_sixth_house import SIXTH_HOUSE_SENTENCES
from .sentences_third_family import THIRD_FAMILY_SENTENCES
from .sentences_third_flat import THIRD_FLAT_SENTENCES
from .sentences_third_house import THIRD_HOUSE_SENTENCES

BENCH_HOMES: Mapping[str, Callable[[], BenchHome]] = {
    "demo": DemoBenchHome,
    "flat": lambda: TableBenchHome(
        FLAT,
        {
            "new": FLAT_SENTENCES,
            "second": SECOND_FLAT_SENTENCES,
            "third": THIRD_FLAT_SENTENCES,
            "fourth": FOURTH_FLAT_SENTENCES,
            "fifth": FIFTH_FLAT_SENTENCES,
            "sixth": SIXTH_FLAT_SENTENCES,
            "seventh": SEVENTH_FLAT_SENTENCES,
        },
    ),
    "house": lambda: TableBenchHome(
        HOUSE,
        {
            "new": HOUSE_SENTENCES,
            "second": SECOND_HOUSE_SENTENCES,
            "third": THIRD_HOUSE_SENTENCES,
            "fourth": FOURTH_HOUSE_SENTENCES,
            "fifth": FIFTH_HOUSE_SENTENCES,
            "sixth": SIXTH_HOUSE_SENTENCES,
            "seventh": SEVENTH_HOUSE_SENTENCES,
        },
    ),
    "family": lambda: TableBenchHome(
        FAMILY,
        {
            "new": FAMILY_SENTENCES,
            "second": SECOND_FAMILY_SENTENCES,
            "third": THIRD_FAMILY_SENTENCES,
            "fourth": FOURTH_FAMILY_SENTENCES,
            "fifth": FIFTH_FAMILY_SENTENCES,
            "sixth": SIXTH_FAMILY_SENTENCES,
            "seventh": SEVENTH_FAMILY_SENTENCES,
        },
    ),
    "terraced": lambda: TableBenchHome(TERRACED, {"seventh": SEVENTH_TERRACED_SENTENCES}),
    "apartment": lambda: TableBenchHome(APARTMENT, {"seventh": SEVENTH_APARTMENT_SENTENCES}),
}
SETS = (
    "development",
    "forty",
    "new",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
)
