"""Utterances that the agent itself recognizes, as a whole: a stop and a yes, by language.

In a language that is missing here nothing is recognized.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of a language; all lower case."""

    polite: tuple[str, ...]
    stop: tuple[str, ...]
    yes: tuple[str, ...]


def _list(phrases: str) -> tuple[str, ...]:
    """Return phrases that are written one behind the other."""
    return tuple(" ".join(phrase.split()) for phrase in phrases.split(","))


_WORDS: Mapping[str, Words] = {
    "en": Words(
        polite=_list("please, now, thanks, thank you, just"),
        stop=_list(
            """
            stop, stop it, stop that, cancel, cancel that, abort, never mind, nevermind,
            forget it, that's enough, enough, quiet, be quiet, shut up
            """
        ),
        yes=_list(
            """
            yes, yeah, yep, yup, sure, of course, do it, do that, go ahead, go on, ok,
            okay, confirm, confirmed, absolutely, certainly, i do, yes i am sure, i'm
            sure, correct, right
            """
        ),
    ),
    "de": Words(
        polite=_list("bitte, jetzt, danke, mal"),
        stop=_list(
            """
            stopp, stop, halt, abbrechen, abbruch, brich ab, hör auf, schluss, vergiss
            es, genug, ruhe, sei still, schon gut, lass es
            """
        ),
        yes=_list(
            """
            ja, jawohl, klar, na klar, sicher, natürlich, gerne, gern, ok, okay, mach
            das, mach es, tu das, tu es, einverstanden, richtig, genau, mach weiter, auf
            jeden fall, unbedingt
            """
        ),
    ),
    "fr": Words(
        polite=_list("s'il te plaît, s'il vous plaît, merci, maintenant"),
        stop=_list(
            """
            stop, arrête, arrêtez, arrête ça, annule, annuler, laisse tomber, ça suffit,
            tais-toi, silence, oublie
            """
        ),
        yes=_list(
            """
            oui, ouais, d'accord, bien sûr, vas-y, allez-y, ok, okay, fais-le, je
            confirme, confirme, certainement, continue, exactement
            """
        ),
    ),
    "es": Words(
        polite=_list("por favor, gracias, ahora"),
        stop=_list(
            """
            para, detente, alto, cancela, cancelar, déjalo, olvídalo, basta, silencio,
            cállate, stop, ya basta
            """
        ),
        yes=_list(
            """
            sí, si, claro, por supuesto, vale, de acuerdo, hazlo, adelante, ok, okay,
            confirmo, seguro, desde luego, sigue, continúa, correcto
            """
        ),
    ),
    "nl": Words(
        polite=_list("alsjeblieft, alstublieft, graag, nu, dank je, bedankt"),
        stop=_list(
            """
            stop, stoppen, hou op, houd op, annuleer, annuleren, laat maar, genoeg,
            stil, wees stil, vergeet het
            """
        ),
        yes=_list(
            """
            ja, jawel, jazeker, zeker, natuurlijk, prima, ok, oké, okay, doe het, doe het maar,
            doe maar, doe dat, ga je gang, ga door, akkoord, klopt, goed
            """
        ),
    ),
    "it": Words(
        polite=_list("per favore, per piacere, grazie, adesso, ora"),
        stop=_list(
            """
            stop, fermati, ferma, annulla, basta, lascia stare, lascia perdere, zitto,
            silenzio
            """
        ),
        yes=_list(
            """
            sì, si, certo, certamente, va bene, ok, okay, fallo, procedi, d'accordo,
            confermo, sicuro, vai, continua, esatto
            """
        ),
    ),
    "pl": Words(
        polite=_list("proszę, teraz, dziękuję"),
        stop=_list(
            """
            stop, przestań, zatrzymaj, zatrzymaj się, anuluj, dość, wystarczy, nieważne,
            cisza, cicho
            """
        ),
        yes=_list(
            """
            tak, jasne, oczywiście, pewnie, zgoda, zrób to, ok, okej, okay, potwierdzam,
            dobrze, kontynuuj, śmiało, dalej
            """
        ),
    ),
}


def words_of(language: str) -> Words | None:
    """Return the words of a language such as `de` or `pt-BR`, None where there are none."""
    return _WORDS.get(language.replace("_", "-").partition("-")[0].lower())


def says_stop(text: str, language: str) -> bool:
    """Return whether a message is nothing but the wish to stop."""
    words = words_of(language)
    return words is not None and _only(words.stop, words.polite).fullmatch(_plain(text)) is not None


def says_yes(text: str, language: str) -> bool:
    """Return whether a message is nothing but a yes."""
    words = words_of(language)
    return words is not None and _only(words.yes, words.polite).fullmatch(_plain(text)) is not None


def _plain(text: str) -> str:
    """Return the bare words: lower case, no punctuation but what belongs to a word."""
    straight = text.strip().lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return " ".join(re.findall(r"\w[\w'-]*", straight))


@cache
def _only(phrases: tuple[str, ...], polite: tuple[str, ...]) -> re.Pattern[str]:
    """Return what matches texts made of the phrases, at least one, and of polite words."""
    phrase, filler = (
        "|".join(re.escape(item) for item in sorted(group, key=len, reverse=True))
        for group in (phrases, polite)
    )
    return re.compile(rf"(?:(?:{filler}) )*(?:{phrase})(?: (?:{phrase}|{filler}))*")
