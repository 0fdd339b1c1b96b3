"""Sentence segmentation in any script."""

import pytest

from custom_components.chatterbox.agent.language.segmentation import (
    SentenceBudget,
    asks,
    split_sentences,
)


def split(text: str, language: str) -> list[str]:
    return list(split_sentences(text, language))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "It is on. |Dr. Smith called at 8.30. |He was fine."),
        ("en", "It is 21.5 degrees. |The fan costs $1.99 vs. Mr. J. Smith's. |Good."),
        ("en", "Well... that is it! |Is it? |Yes."),
        ("en", "Use e.g. Berlin, or i.e. 10.000. |See www.example.com for v2.0."),
        ("en", 'She said "Stop." |Then “Why?” |And (so.) |He left.'),
        ("en", "**Bold.** |*Next one.* |Last"),
        ("en", "Good! 😊 |Great 👍🏽. 😀 |Fun."),
        ("en", "1. Milk\n|2. Eggs\n\n|3. Bread"),
        ("en", "Title\n\n|Text goes on. |¿Qué? |“Yes.”"),
        ("en", "Wow!!! |Really?! |OK…"),
        ("en", "... It begins. |And ends."),
        ("en", "Yahoo! is a name. |So is who? by them."),
        ("en", "There are 3. |Then 4."),
        ("en", ""),
        ("de", "Am 3. Oktober ist frei. |Der Arzt heißt Prof. Dr. Müller. |Gut."),
        ("de", "Das ist z. B. Berlin, d. h. Äpfel bzw. Birnen. |Ja! |Nein."),
        ("de", "Es ist 21,5 Grad warm. |Nr. 5 lebt, inkl. Mehrwertsteuer."),
        ("de", "„Wirklich?“ |„Ja.“ |Es geht: 15.30 Uhr."),
        ("fr", "Tu viens ? |Oui ! |M. Dupont et Mme. Curie sont là. |Il est 8 h."),
        ("es", "¿Vienes? |¡Claro! |El Sr. García vive en la av. Goya. |Son 1.000."),
        ("nl", "Het is ca. 5 graden. |Dhr. Jansen, bijv. Piet, komt. |Ja."),
        ("it", "Il dott. Rossi è qui. |La pag. Due è vuota. |Sì."),
        ("pl", "Był 3. Maja. |Mieszka przy ul. Długiej, np. w Krakowie. |Tak."),
        ("ja", "電気をつけました。|他に何かありますか？|「はい。」|終わりです"),
        ("zh", "灯已打开。|现在3.5度！|还需要什么吗?|好的……|再见。"),
        ("ko", "네. |불을 켰어요. |더 필요한 게 있나요?"),
        ("hi", "बत्ती जल रही है। |और कुछ?"),
        ("ar", "المصباح مضاء. |هل تريد شيئا آخر؟ |نعم."),
        ("ur", "بتی جل رہی ہے\u06d4 |اور کچھ؟"),
        ("el", "Άναψε το φως. |Θέλεις κάτι άλλο; |Έτοιμο."),
        ("th", "เปิดไฟแล้ว ต้องการอะไรอีกไหม"),
    ],
)
def test_sentences(language: str, text: str) -> None:
    sentences = split(text.replace("|", ""), language)
    assert sentences == text.split("|") if text else sentences == []


@pytest.mark.parametrize(
    "text",
    [
        "Which one?",
        "I found two lamps. Which one?",
        "Which one? 😊",
        "Which one 😊?",
        "Which one?\n",
        "**Which one?**",
        "“Which one?”",
        "(Or the other one?)",
        "Really?!",
        "Really?...",
        "1. Desk\n2. Sink\nWhich one?",
        "どれですか？",
        "「どれですか？」",
        "哪一个?",
        "أي مصباح؟",
        "Ποιο; 😊",
        "Ποιο\u037e",
        "Ո՞րը",
        "የትኛው፧",
        "¿Cuál?",
        "Lequel ?",
        "« Lequel ? »",
        "Which one❓",
    ],
)
def test_last_sentence_asks(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "It is on.",
        "Which one? I took the desk lamp.",
        "Which one? Just tell me.",
        "He asked “Why?”. I did not know.",
        'He asked "why?".',
        "Who? is a song by them.",
        "It is on; so is the fan;",
        "See example.com/?q=lamp for more.",
        "¿",
        "どれですか。",
        "👍",
    ],
)
def test_last_sentence_does_not_ask(text: str) -> None:
    assert not asks(text)


@pytest.mark.parametrize("text", ["It is on. Dr. Smith called. Is it 8.30? Yes.", "一。二！三"])
def test_ends_do_not_change_with_more_text(text: str) -> None:
    whole = split(text, "en")
    for length in range(len(text)):
        known = split(text[:length], "en")[:-1]
        assert whole[: len(known)] == known


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Uno. ¡Dos! ¿Tres?", "¿Tres?"),
        ("One. “Two.” (Three.) Four.", "(Three.) Four."),
        ("„Eins.“ „Zwei.“ „Drei.“", "„Drei.“"),
        ("一。二！「三」四。", "「三」四。"),
        ("One. Two! 😊", ""),
        ("", ""),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_budget_does_not_depend_on_the_cuts_of_the_stream(text: str, rest: str, size: int) -> None:
    budget = SentenceBudget(2, "en")
    spoken = "".join(budget.feed(text[at : at + size]) for at in range(0, len(text), size))
    assert budget.rest == rest
    assert spoken.rstrip() == text.removesuffix(rest).rstrip()
