"""Tests of the speech filter."""

import re
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import override

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.language import speech as speech_module
from custom_components.chatterbox.agent.language.speech import SpeechFilter, SpeechFilterProvider
from custom_components.chatterbox.agent.messages import Message
from custom_components.chatterbox.agent.model.provider import (
    Completed,
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
    ReasoningDelta,
    TextDelta,
)
from tests.agent.builders import request
from tests.agent.fake_provider import Answer, ScriptedProvider, calls


def spoken(pieces: str | list[str], language: str = "en") -> str:
    """Return what is spoken of a text that comes in these pieces."""
    speech = SpeechFilter(language)
    parts = [speech.feed(piece) for piece in ([pieces] if isinstance(pieces, str) else pieces)]
    return "".join([*parts, speech.finish()])


SPOKEN = {
    "Hello.": "Hello.",
    "**Bold** and *italic*, __too__ and ~~not~~.": "Bold and italic, too and not.",
    "# Title\n\nText.": "Title. Text.",
    "- one\n- two\n\nEnd.": "one. two. End.",
    "* one!\n* two?\nEnd": "one! two? End",
    "1. first\n2) second": "1. first. 2) second",
    "- [ ] milk\n- [x] bread": "milk. bread",
    "> quoted words here": "quoted words here",
    "See [the guide](https://example.org/a_b?c=d) now.": "See the guide now.",
    "Go to https://example.org/x, please.": "Go to example.org, please.",
    "Mail <mailto:a@b.c> or <https://x.y>.": "Mail a@b.c or x.y.",
    "A picture ![of a cat](cat.png) here.": "A picture of a cat here.",
    "A fact[1] and [^2] a note.": "A fact and a note.",
    "Use `light.on` here.": "Use light.on here.",
    "```python\nprint(1)\n```\nThat is it.": "That is it.",
    "~~~\ncode\n~~~": "",
    "| a | b |\n|---|---|\n| 1 | 2 |\nEnd.": "a, b. 1, 2. End.",
    "One\n---\nTwo": "One Two",
    '{"name": "x"}\nSaid.': "Said.",
    "Fine 👍🏽 and 🇩🇪 and ☀️ and ✅!": "Fine and and and!",
    "It is 21.5 °C.": "It is 21.5 degrees Celsius.",
    "Minus: -3°C, 40% and 5 km/h": (
        "Minus: minus 3 degrees Celsius, 40 percent and 5 kilometres per hour"
    ),
    "- 5 °C": "minus 5 degrees Celsius",
    "- 5 degrees": "-5 degrees",
    "– 5 Grad draußen.": "-5 Grad draußen.",
    "It is\n- 5 °C.\n\n# Wind\nNone.": "It is minus 5 degrees Celsius. Wind. None.",
    f"- 5 °C {'and cold ' * 40}\n- 6 °C": (
        f"minus 5 degrees Celsius {'and cold ' * 40}minus 6 degrees Celsius"
    ),
    "- 5 °C\n\n\n\n- 6 °C": "minus 5 degrees Celsius minus 6 degrees Celsius",
    "- 5 °C\n\n- 6 °C\n1. then": "5 degrees Celsius. 6 degrees Celsius. 1. then",
    "**Lows:**\n- 5 °C": "Lows: 5 degrees Celsius",
    "- milk\n- 5 kilometres": "milk. 5 kilometres",
    "- 5 apples\nEnd.": "5 apples. End.",
    "Hearts ♥ beat ♠, I ♥️ you.": "Hearts ♥ beat ♠, I you.",
    "1 % of 1 kWh": "1 percent of 1 kilowatt hour",
    "At 14:30:05 it ends.": "At 14:30:05 it ends.",
    "Since 2026-11-21T14:30:00+01:00.": "Since 2026-11-21 14:30.",
    "$x^2$ costs $5.": "x^2 costs $5.",
    "It is \\(20^{\\circ}\\text{C}\\).": "It is 20 degrees Celsius.",
    "\\frac{1}{2} \\cdot \\alpha": "1 / 2 ×",
    "2*3 = 6 and a*b": "2*3 = 6 and a*b",
    "snake_case_name stays, _this_ not": "snake_case_name stays, this not",
    "<b>Loud</b><br/>and 3 < 4 > 2": "Loudand 3 < 4 > 2",
    "今日は晴れです。気温は20°Cです。": "今日は晴れです。気温は20°Cです。",
    "It is **20** degrees, **21.5 °C** or **20** °C.": (
        "It is 20 degrees, 21.5 degrees Celsius or 20 degrees Celsius."
    ),
    "Set to **50%**, and ***7*** of *5 lights*.": "Set to 50 percent, and 7 of 5 lights.",
    "2 * 3 is 6": "2 * 3 is 6",
    "`5` °C or `6` `7`": "5 degrees Celsius or 6 7",
    "3. Oktober ist Feiertag.": "3. Oktober ist Feiertag.",
    "42. That is the answer.": "42. That is the answer.",
    "1. one\n2. two\n\n7. Mai": "1. one. 2. two. 7. Mai",
    "- 5 °C outside": "minus 5 degrees Celsius outside",
    "- 5 lamps are on": "5 lamps are on",
    "It costs 5$ today and 6$ tomorrow.": "It costs 5$ today and 6$ tomorrow.",
    "It costs $5 or US$6, $x$ and $21\\,^{\\circ}C$.": "It costs $5 or US$6, x and 21\\,°C.",
    "list[0] and [21] here": "list[0] and [21] here",
    "A fact[1][2] and one.[3]": "A fact and one.",
    "In C:\\Users\\name it is": "In C:\\Users\\name it is",
    "12:34:56:78:90:12": "12:34:56:78:90:12",
    "3 W-LAN, 100 W/m² and 20°-25° C": "3 W-LAN, 100 W/m² and 20 degrees-25 degrees C",
    "1 2 3 20 °C 5 - 5 °C": "1 2 3 20 degrees Celsius 5 - 5 degrees Celsius",
    "   ": "",
    "2:00:35 left, 0:00:45 and 12:30:15": "2:00:35 left, 0:00:45 and 12:30:15",
    "1. Dezember 2026.": "1. Dezember 2026.",
    "1. Mai": "1. Mai",
    "2**10 and x**2 and a**b": "2**10 and x**2 and a**b",
    "a*b*c and 2*x": "a*b*c and 2*x",
    "The element a[1] of it": "The element a[1] of it",
    "It is about .5 in the .NET runtime.": "It is about .5 in the .NET runtime.",
    "C♯, B♭ and ♮ 🎵": "C♯, B♭ and ♮",
    "The website is www.bbc.com.": "The website is www.bbc.com.",
    "See https://www.bbc.co.uk/news?id=1#top!": "See www.bbc.co.uk!",
    "Open http://me:pw@homeassistant:8123/x or not": "Open homeassistant or not",
    "The guide (https://x.org/a) helps.": "The guide helps.",
    "\\sqrt{2} \\pm 1 \\approx 2": "√2 ± 1 ≈ 2",
    "中文*强调*和**粗体**。": "中文强调和粗体。",
    "20 → 22": "20 → 22",
    "---|---\nA table": "A table",
    "[x] done": "done",
    "a\n\n\nb": "a b",
}


@pytest.mark.parametrize("text", SPOKEN)
def test_markup_is_removed_from_spoken_text(text: str) -> None:
    assert spoken(text) == SPOKEN[text]


@pytest.mark.parametrize("text", SPOKEN)
def test_spoken_text_does_not_depend_on_the_split_of_the_stream(text: str) -> None:
    for place in range(len(text)):
        assert spoken([text[:place], text[place:]]) == SPOKEN[text]
    assert spoken(list(text)) == SPOKEN[text]


@given(
    st.lists(
        st.sampled_from([*SPOKEN, " ", "\n", "`", "[", "](", "*", "$", "21", "|"]), max_size=5
    ),
    st.data(),
)
def test_mixed_markup_does_not_depend_on_the_split_of_the_stream(
    parts: list[str], data: st.DataObject
) -> None:
    text = "".join(parts)
    place = data.draw(st.integers(0, len(text)))
    whole = spoken(text)
    assert spoken([text[:place], text[place:]]) == whole
    assert spoken(list(text)) == whole


@given(st.text(max_size=60))
def test_any_text_does_not_depend_on_the_split_of_the_stream(text: str) -> None:
    assert spoken(list(text)) == spoken(text)


def test_speech_starts_with_the_first_words() -> None:
    speech = SpeechFilter()
    assert speech.feed("The ") == "The"
    assert speech.feed("light is on ") == " light is on"
    assert speech.feed("now") == " now"
    assert speech.finish() == ""


# Tokens, and the speech of each if it is another.
TOKENS = {
    "It| is| on|.| O|k|!": None,
    "**|Note|:**| it| is| *": "|Note|:| it| is|",
    "It| is| |20| degrees": "It| is|| 20| degrees",
    "It| is| 20| °|C| now": "It| is| 20||| degrees Celsius now",
    "It| is| -|5| °C|.| So": "It| is||||| minus 5 degrees Celsius. So",
    "It| is| -|5| or| so": "It| is|||| -5 or so",
    "At| 14|:|30|,| say": None,
    "On| how| w|arm| (|the": "On| how|| warm|| (the",
    "See| http|s://x.org/|a| now": "See|||| x.org now",
    "Well| -| it| self|-|made": "Well|| - it| self||-made",
    "从|前|，|有|20|度|。": None,
    "むか|し|、|おじ|いさん|に|なり|ました|。": None,
    "กาล|ครั้ง|หนึ่ง| นาน|มา": None,
    "كان| يا| ما|،| كان": None,
    "एक| समय| की| बात|।": None,
    "„|Das| Licht| ist| an|“,| sagte": None,
}


@pytest.mark.parametrize("tokens", TOKENS)
def test_tokens_are_passed_on_at_once_except_for_beginnings_of_marks(tokens: str) -> None:
    speech = SpeechFilter("en")
    assert "|".join(map(speech.feed, tokens.split("|"))) == (TOKENS[tokens] or tokens)


PARTS = [*SPOKEN, " ", "h", "!", "-", "(", "5", "km", "/", "www"]


@given(st.lists(st.sampled_from(PARTS), max_size=5))
def test_text_that_is_passed_on_as_it_stands_needs_no_filter(parts: list[str]) -> None:
    """The shortcut for text without marks gives what the filter would give."""
    text = "".join(parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(speech_module, "_PLAIN", re.compile("(?!)|"))
        filtered = spoken(text)
    assert spoken(text) == filtered


SCRIPTS = {
    "Latin": "The washing machine has finished and the door is open.",
    "German": "Die Waschmaschinentür steht offen, und das Licht ist aus.",
    "Cyrillic": "Стиральная машина закончила работу, дверь открыта.",
    "Greek": "Το πλυντήριο τελείωσε και η πόρτα είναι ανοιχτή.",  # noqa: RUF001 - Greek
    "Chinese": "从前有一个小村庄村里住着一位老人他每天都去山上砍柴",
    "Chinese with marks": "**从前**有一个小村庄，村里住着一位老人。",
    "Chinese number": "20度です今日はとても寒いので暖かい服を着てください",
    "Japanese": "むかしむかしあるところにおじいさんとおばあさんがいました",
    "Katakana": "キッチンノライトヲツケマシタ",
    "Korean": "옛날 옛적에 어느 마을에 할아버지가 살았습니다.",
    "Thai": "กาลครั้งหนึ่งนานมาแล้วมีหมู่บ้านเล็กๆแห่งหนึ่ง",
    "Lao": "ຄັ້ງໜຶ່ງດົນນານມາແລ້ວມີໝູ່ບ້ານນ້ອຍໆ",
    "Khmer": "កាលពីព្រេងនាយមានភូមិតូចមួយ",
    "Arabic": "كان يا ما كان في قديم الزمان قرية صغيرة.",
    "Hebrew": "היה היה פעם כפר קטן ובו גר איש זקן.",
    "Hindi": "एक समय की बात है एक छोटा सा गाँव था।",
    "dash": "- The first of the lights is on, the others are off.",
    "number": "1. The first of the lights is on, the others are off.",
    "bold": "**Note:** the first of the lights is on.",
    "code": "`light.kitchen` is on, and the others are off.",
    "quotation": "„Das Licht ist an“, sagte sie und ging.",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_first_words_are_passed_on_early_in_every_script(script: str) -> None:
    speech = SpeechFilter()
    text = SCRIPTS[script]
    needed = next(
        (number for number, character in enumerate(text, 1) if speech.feed(character)), len(text)
    )
    assert needed <= 18


@pytest.mark.parametrize("script", ["Chinese", "Japanese", "Thai"])
def test_unspaced_text_is_passed_on_character_by_character(script: str) -> None:
    speech = SpeechFilter()
    assert [speech.feed(character) for character in SCRIPTS[script]] == list(SCRIPTS[script])


def test_series_of_numbers_is_not_held_back() -> None:
    """A number waits for its unit, not for all the numbers behind it."""
    assert len(SpeechFilter().feed("It is 1 1 1 1 1 1 1 1 1 1")) > 18
    assert SpeechFilter().feed("It costs 5$ today and it ") == "It costs 5$ today and it"


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", ["|", "| ", "> ", "- ", "1 ", "* ", "  ", "[", "$x", "1. "])
def test_long_lines_take_linear_time(piece: str) -> None:
    """With quadratic time they would take minutes, and the test would time out."""
    spoken([f"{piece * 100_000}x"])
    spoken([piece] * 20_000)


def test_unclosed_markup_is_spoken_after_a_limit() -> None:
    text = f"so [it {'begins ' * 60}"
    speech = SpeechFilter()
    assert len(speech.feed(text)) > 200
    assert len(SpeechFilter().feed(f"a b {'x' * 700} c")) > 500


class Saying(LLMProvider):
    """A provider that says a text in pieces."""

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield thoughts, pieces of text, and the end."""
        yield ReasoningDelta("**Hm**")
        for piece in ("**It", " is** 20", " °", "C 🌞"):
            yield TextDelta(piece)
        yield Completed(CompletionResult(content="**It is** 20 °C 🌞", finish_reason="length"))


async def test_filtered_text_is_streamed_and_in_the_result() -> None:
    """Spoken, shown and stored text is the same; reasoning is unchanged."""
    provider = SpeechFilterProvider(Saying(), "en")
    events = [event async for event in provider.stream(request([Message.user("?")]))]
    assert events[0] == ReasoningDelta("**Hm**")
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert text == "It is 20 degrees Celsius"
    assert events[-1] == Completed(CompletionResult(content=text, finish_reason="length"))
    assert (await provider.complete(request([Message.user("?")]))).content == text


CODE = "```python\nprint(1)\n```"


@pytest.mark.parametrize("text", ["👍", CODE, "---"])
async def test_answer_of_markup_only_is_unchanged(text: str) -> None:
    provider = SpeechFilterProvider(ScriptedProvider(Answer(f"{text}\n")), "en")
    result = await provider.complete(request([Message.user("?")]))
    assert result.content == text


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        (CODE, "That is code."),
        ("~~~\nls\n", "That is code."),
        (f"Try this:\n{CODE}", "Try this:"),
        ("👍", "👍"),
    ],
)
async def test_answer_of_code_only_is_called_so(text: str, spoken: str) -> None:
    answers = ScriptedProvider(Answer(text))
    provider = SpeechFilterProvider(answers, "en", code_only="That is code.")
    assert (await provider.complete(request([Message.user("?")]))).content == spoken


async def test_unspeakable_text_beside_a_call_is_dropped() -> None:
    made = replace(calls("look"), text="👍")
    result = await SpeechFilterProvider(ScriptedProvider(made), "en").complete(request())
    assert result.content is None
    assert (
        await SpeechFilterProvider(ScriptedProvider(Answer())).complete(request())
    ).content is None
