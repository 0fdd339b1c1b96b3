"""The words by which the agent recognises a stop, a yes and a claim, by language.

A language that is missing here is left alone: nothing is recognised in it.
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
    claims: tuple[str, ...]
    """Regular expressions for sentences that say that something is done or being done."""
    excuses: str
    """Words that make such a sentence harmless: negations, and what was done earlier."""
    questions: tuple[str, ...]
    """How questions begin that ask what is or was, and not for something to be done."""


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
        claims=(
            (
                r"\b(i|i've|we|we've)\s+(have\s+|just\s+|now\s+|also\s+|successfully\s+)*(turned|"
                r"switched|set|dimmed|brightened|opened|closed|locked|unlocked|started|stopped|"
                r"added|removed|created|changed|adjusted|activated|deactivated|enabled|disabled|"
                r"paused|resumed|played|increased|decreased|lowered|raised|sent|scheduled|updated|"
                r"deleted|armed|disarmed|cancelled|canceled)\b"
            ),
            (
                r"\b(has|have)\s+(now\s+|just\s+)?been\s+(now\s+|successfully\s+)?(turned|switched|"
                r"set|dimmed|opened|closed|locked|unlocked|started|stopped|added|removed|activated|"
                r"deactivated|enabled|disabled|paused|updated|deleted|armed|disarmed)\b"
            ),
            (
                r"\b(is|are)\s+now\s+(turned |switched )?(on|off|open|closed|locked|unlocked|set|"
                r"playing|paused|running|dimmed|armed|disarmed|at)\b"
            ),
            (
                r"^(i'm |i am )?(now )?(turning|switching|dimming|opening|closing|locking|"
                r"unlocking|setting|starting|activating)\b"
            ),
            r"^((ok|okay|alright|all right|sure)\W+)?(all )?(done|set)\b",
        ),
        excuses=r"\b(not|never|unable|failed|already|earlier|before|ago|yesterday|previously)\b|n't",
        questions=_list(
            """
            did, have, has, is, are, was, were, what, which, why, when, who, how, do,
            does
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
        claims=(
            (
                r"\b(ich|wir)\s+haben?\b.*\b((ein|aus|an|ab|um)geschaltet|(ein|um|ab)?gestellt|"
                r"geöffnet|geschlossen|gedimmt|(de)?aktiviert|gestartet|gestoppt|hinzugefügt|"
                r"gelöscht|entfernt|(ver|ent)riegelt|(ab|auf)geschlossen|gesetzt|erhöht|gesenkt|"
                r"pausiert|gesendet|erstellt|geändert|(an|aus|auf|zu)gemacht|(hoch|"
                r"herunter)gefahren)\b"
            ),
            (
                r"\bwurden?\b.*\b((ein|aus|an|ab)geschaltet|(ein)?gestellt|geöffnet|geschlossen|"
                r"gedimmt|(de)?aktiviert|gestartet|gestoppt|hinzugefügt|(ver|ent)riegelt|erhöht|"
                r"gesenkt)\b"
            ),
            r"\b(ist|sind|läuft|laufen)\s+(jetzt|nun)\b",
            r"\bich\s+(schalte|mache|stelle|öffne|schließe|dimme|starte|stoppe|verriegle)\b",
            r"^((ok|okay|alles klar|gut)\W+)?(erledigt|gemacht|fertig)\b",
        ),
        excuses=r"\b(nicht|kein\w*|nie|bereits|schon|vorhin|zuvor|gestern|konnte)\b",
        questions=_list(
            """
            hast, habe, ist, sind, war, waren, was, welche, welcher, welches, warum,
            wann, wer, wie, wo, läuft, haben
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
        claims=(
            (
                r"\bj'ai\b.*\b(allumé|éteint|réglé|ouvert|fermé|(dé)?verrouillé|(dés)?activé|lancé|"
                r"démarré|arrêté|ajouté|supprimé|baissé|augmenté|monté|mis|envoyé|créé|changé)e?s?\b"
            ),
            (
                r"\b(a|ont) été\b.*\b(allumé|éteint|réglé|ouvert|fermé|(dé)?verrouillé|"
                r"(dés)?activé|lancé|démarré|arrêté|ajouté|supprimé|baissé|augmenté|mis)e?s?\b"
            ),
            r"\b(est|sont)\s+(maintenant|désormais)\b",
            (
                r"\bj'(allume|éteins|ouvre|active|arrête|ajoute)\b|\bje (ferme|règle|baisse|monte|"
                r"lance|mets|(dé)?verrouille)\b"
            ),
            r"^((ok|d'accord|voilà)\W+)?(c'est fait|c'est bon|fait)\b",
        ),
        excuses=r"\b(ne|pas|aucune?|jamais|déjà|hier|avant|auparavant|tout à l'heure)\b|\bn'",
        questions=_list(
            """
            as-tu, est-ce, est, sont, qu'est-ce, quel, quelle, quels, quelles, pourquoi,
            quand, qui, comment, où, tu as, a-t-il
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
        claims=(
            (
                r"\b(he|hemos)\s+(encendido|apagado|abierto|cerrado|ajustado|puesto|(des)?activado|"
                r"(des)?bloqueado|añadido|eliminado|borrado|subido|bajado|aumentado|iniciado|"
                r"detenido|pausado|enviado|creado|cambiado|configurado)\b"
            ),
            (
                r"\b(ha|han) sido\s+(encendid|apagad|abiert|cerrad|ajustad|activad|desactivad|"
                r"añadid|eliminad|bloquead|desbloquead)"
            ),
            r"\bahora\s+(está|están)\b|\b(está|están)\s+ahora\b",
            r"\b(encendí|apagué|abrí|cerré|puse|activé|desactivé|añadí|ajusté|subí|bajé)\b",
            r"^((ok|vale|bien)\W+)?(hecho|listo)\b",
        ),
        excuses=r"\b(no|nunca|ya|antes|ayer|anteriormente)\b",
        questions=_list(
            """
            has, está, están, estaba, qué, cuál, por qué, cuándo, quién, cómo, dónde,
            hay, es, son
            """
        ),
    ),
    "nl": Words(
        polite=_list("alsjeblieft, alstublieft, graag, nu, dank je, bedankt, maar"),
        stop=_list(
            """
            stop, stoppen, hou op, houd op, annuleer, annuleren, laat maar, genoeg,
            stil, wees stil, vergeet het
            """
        ),
        yes=_list(
            """
            ja, jawel, jazeker, zeker, natuurlijk, prima, ok, oké, okay, doe het, doe
            dat, ga je gang, ga door, akkoord, klopt, goed
            """
        ),
        claims=(
            (
                r"\b(ik|we|wij)\s+(heb|hebben)\b.*\b((aan|uit|open|dicht)gezet|(in|uit)geschakeld|"
                r"geopend|gesloten|gedimd|ingesteld|gezet|(ver|ont)grendeld|gestart|gestopt|"
                r"gepauzeerd|toegevoegd|verwijderd|(ge|gede)activeerd|verhoogd|verlaagd|verstuurd|"
                r"gemaakt|gewijzigd|(aan|uit|open|dicht)gedaan)\b"
            ),
            (
                r"\b(is|zijn)\b.*\b((aan|uit)gezet|(in|uit)geschakeld|geopend|ingesteld|gedimd|"
                r"toegevoegd|verwijderd)\b"
            ),
            r"\b(is|zijn|staat|staan|speelt)\s+nu\b",
            r"\bik (zet|doe|schakel|open|sluit|dim|start)\b",
            r"^((ok|oké|prima|goed)\W+)?(gedaan|klaar|gebeurd|geregeld)\b",
        ),
        excuses=r"\b(niet|geen|nooit|al|eerder|gisteren|zojuist)\b",
        questions=_list(
            """
            heb, is, zijn, was, waren, wat, welke, waarom, wanneer, wie, hoe, waar,
            staat, staan
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
        claims=(
            (
                r"\b(ho|abbiamo)\s+(\w+\s+)?(acceso|spento|aperto|chiuso|impostato|(dis)?attivato|"
                r"bloccato|sbloccato|aggiunto|rimosso|eliminato|abbassato|alzato|aumentato|avviato|"
                r"fermato|messo|regolato|inviato|creato|cambiato)\b"
            ),
            (
                r"\b(è|sono) stat[oaie]\s+(acces|spent|apert|chius|impostat|attivat|disattivat|"
                r"aggiunt|rimoss|bloccat|sbloccat|avviat)"
            ),
            r"\b(ora|adesso)\s+(è|sono)\b|\b(è|sono)\s+(ora|adesso)\b",
            r"^((ok|va bene|ecco)\W+)?fatto\b",
        ),
        excuses=r"\b(non|mai|già|prima|ieri|precedenza)\b",
        questions=_list(
            """
            hai, è, sono, era, erano, che, cosa, quale, quali, perché, quando, chi,
            come, dove, c'è
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
        claims=(
            (
                r"\b(włączy|wyłączy|zapali|zgasi|otworzy|ustawi|uruchomi|zatrzyma|doda|ściemni|"
                r"rozjaśni|zmieni|zwiększy|zmniejszy|aktywowa|wysła|utworzy|zablokowa|"
                r"odblokowa)ł[ae]m\b|\b(zamknął|usunął|zamknęła|usunęła)[e]?m\b"
            ),
            (
                r"\bzosta(ł|ła|ło|ły|li)\s+(włączon|wyłączon|otwart|zamknięt|ustawion|uruchomion|"
                r"zatrzyman|dodan|usunięt)"
            ),
            r"\b(jest|są)\s+teraz\b|\bteraz\s+(jest|są)\b",
            r"\b(włączam|wyłączam|zapalam|gaszę|otwieram|zamykam|ustawiam|uruchamiam)\b",
            r"^((ok|dobrze)\W+)?(gotowe|zrobione)\b",
        ),
        excuses=r"\b(nie|nigdy|już|wcześniej|wczoraj)\b",
        questions=_list(
            """
            czy, jest, są, był, co, jaki, jaka, jakie, który, dlaczego, kiedy, kto, jak,
            gdzie
            """
        ),
    ),
}


_CLAUSE = re.compile(r"[,.!;:]+\s+")


def words_of(language: str) -> Words | None:
    """Return the words of a language such as `de` or `pt-BR`, None where there are none."""
    return _WORDS.get(language.replace("_", "-").partition("-")[0].lower())


def straight(text: str) -> str:
    """Return a text in lower case, with the plain form of the apostrophe."""
    return text.strip().lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def says_stop(text: str, language: str) -> bool:
    """Tell whether a message is nothing but the wish to stop."""
    words = words_of(language)
    return words is not None and _only(words.stop, words.polite).fullmatch(_plain(text)) is not None


def asks(text: str, language: str) -> bool:
    """Tell whether a message asks what is or was, and not for something to be done."""
    if (words := words_of(language)) is None:
        return False
    # Of a message that ends as a question, the last part may be one behind a greeting.
    clauses = _CLAUSE.split(straight(text).rstrip("?! ")) if "?" in text[-2:] else [straight(text)]
    begins = _begins(words.questions)
    return any(begins.match(clause) for clause in (clauses[0], clauses[-1]))


def says_yes(text: str, language: str) -> bool:
    """Tell whether a message is nothing but a yes."""
    words = words_of(language)
    return words is not None and _only(words.yes, words.polite).fullmatch(_plain(text)) is not None


def _plain(text: str) -> str:
    """Return the bare words: lower case, no punctuation but what belongs to a word."""
    return " ".join(re.findall(r"\w[\w'-]*", straight(text)))


@cache
@cache
def _begins(starts: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(map(re.escape, starts))})\b")


def _only(phrases: tuple[str, ...], polite: tuple[str, ...]) -> re.Pattern[str]:
    """Return what matches texts made of the phrases, at least one, and of polite words."""
    phrase, filler = (
        "|".join(re.escape(item) for item in sorted(group, key=len, reverse=True))
        for group in (phrases, polite)
    )
    return re.compile(rf"(?:(?:{filler}) )*(?:{phrase})(?: (?:{phrase}|{filler}))*")
