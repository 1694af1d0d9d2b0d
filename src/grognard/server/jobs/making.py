"""What strangers send is made into something here: army lists judged, matches set up, replay files played.

It runs in workers (server/jobs.py): nothing here knows of the store or of tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from grognard import games
from grognard.kernel.data.plain import documents
from grognard.kernel.data.printable import all_printable
from grognard.kernel.errors import BadInput, GrognardError, Word
from grognard.kernel.match import saves
from grognard.kernel.match.dice import ByHand, Dice, Seal, Sealed
from grognard.kernel.match.match import Match
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.words.texts import complaint, gettext, told
from grognard.players import PLAYERS
from grognard.server.http import wire
from grognard.server.http.endpoints import Trouble
from grognard.server.playing.dice import PERSON, WORDS, SomeByHand, by_hand

MAX_SETUP = 256 * 1024
MAX_ANSWERS = 50_000


class Luck(msgspec.Struct, frozen=True):
    """What is drawn at random for a match: the seed of its dice, and of its terrain where none is asked for."""

    seed: bytes
    terrain: int


def game_named(name: str) -> Ruleset:
    if name not in games.RULESETS:
        known = ", ".join(games.RULESETS)
        raise Trouble(404, "no-game", "there is no game {name}; there are {known}", name=name[:80], known=known)
    return games.RULESETS[name]


def army_from_text(text: str) -> dict[str, Any]:
    """An army list somebody wrote; nothing outside the text is read."""
    held = documents(text, "army")
    if len(held) != 1 or not isinstance(held[0].value, dict):
        raise Trouble(400, "army", "an army list is one mapping, as in the starter armies")
    return dict(all_printable(held[0].value))


def mustered(ruleset: Ruleset, text: str, lang: str) -> wire.Mustered:
    try:
        army = army_from_text(text)
        ruleset.bounds.check(army, "army")
        findings = ruleset.check_army(army)
    except GrognardError as error:
        return wire.Mustered(False, "", 0, 0, [], [wire.ArmyProblem(told(error, lang), "", False)])
    problems = [wire.ArmyProblem(ruleset.say(f.code, f.data, lang), f.rule, f.warning) for f in findings]
    ok = all(finding.warning for finding in findings)
    lines = ruleset.roster(army) if ok else []
    title = str((army.get("french") if lang == "fr" else None) or army.get("name") or "")
    rows = [wire.ArmyLine(gettext(line.name, lang, ruleset.id), line.what, line.count, line.points) for line in lines]
    points, models = sum(line.points for line in lines), sum(line.count for line in lines)
    return wire.Mustered(ok, title, points, models, rows, problems)


def seated(seats: Sequence[str], players: Sequence[str]) -> dict[str, str]:
    """Who plays each seat; the last name does for all further seats, people for nobody named."""
    known = (PERSON, *PLAYERS)
    for name in players:
        if name not in known:
            raise BadInput("there is no player {name}; there are {known}", name=name, known=", ".join(known))
    if len(players) > len(seats):
        sides = ", ".join(seats)
        raise BadInput("there are {count} sides ({known}); name a player for each", count=len(seats), known=sides)
    named = [*players, *[players[-1] if players else PERSON] * (len(seats) - len(players))]
    return dict(zip(seats, named, strict=True))


def new_match(ruleset: Ruleset, asked: wire.NewMatch, luck: Luck) -> tuple[Match, dict[str, str]]:
    """A match as it was asked for, and who plays it."""
    if asked.scenario is not None and asked.scenario not in ruleset.scenarios:
        known = ", ".join(ruleset.scenarios) or "-"
        raise BadInput(
            "{game} has no scenario {name}; it has {known}", game=ruleset.id, name=asked.scenario, known=known
        )
    starters = ruleset.armies()
    armies = tuple(text if text in starters else _own_army(ruleset, text) for text in asked.armies)
    terrain = asked.seed if asked.seed is not None else luck.terrain
    setup = ruleset.default_setup(asked.scenario, armies, terrain)
    house = _house_rules(ruleset, asked.house)
    players = seated(ruleset.create(setup, house).seats, asked.players)
    hands = by_hand(asked.dice, players)
    dice: Dice = SomeByHand(Sealed(luck.seed), hands) if hands else Sealed(luck.seed)
    if asked.dice == WORDS and PERSON in players.values():
        dice = ByHand()  # nothing is rolled before the players have added their words
    return Match(ruleset, setup, house=asked.house, dice=dice, history="none"), players


def _house_rules(ruleset: Ruleset, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The house rules of a match; one that cannot be played is named as the page shows it."""
    try:
        return ruleset.house_rules_from(chosen)
    except BadInput as error:
        rule = ruleset.house_rules.get(error.facts["name"])
        if rule is None:
            raise
        title = BadInput("“{about}”", about=Word(rule.about))
        raise BadInput(error.sentence, **error.facts | {"name": title}) from None


def _own_army(ruleset: Ruleset, text: str) -> dict[str, Any]:
    """An army list of one's own; one that breaks the rules does not play."""
    if "\n" not in text and ":" not in text:
        known = ", ".join(ruleset.armies())
        raise BadInput("there is no army {name}; the starter armies are {known}", name=text[:80], known=known)
    army = army_from_text(text)
    ruleset.bounds.check(army, "army")
    wrong = next((finding for finding in ruleset.check_army(army) if not finding.warning), None)
    if wrong is not None:
        raise complaint(ruleset.texts, wrong)
    return army


def header_of(match: Match, seal: Seal | None = None) -> saves.Header:
    return saves.header_of(match, seal, sheets=True)


def brought_in(raw: bytes, players: Sequence[str]) -> tuple[Match, dict[str, str], Seal]:
    """A match from a replay file, checked answer by answer; its dice go on under a new seal."""
    header, answers = saves.parse(raw)
    if len(answers) > MAX_ANSWERS or len(raw.split(b"\n", 1)[0]) > MAX_SETUP:
        raise BadInput("this file is longer than any match")
    header = msgspec.structs.replace(header, setup=all_printable(header.setup))
    match = saves.resume(header, answers, games.RULESETS, history="none", timed=True)
    rolls = [(e.about[0], e.data["sides"], tuple(e.data["faces"])) for e in match.events if e.kind == "roll"]
    old = header.dice
    if match.over and old is not None and old.verified(rolls):
        return match, seated(match.battle.seats, players), old
    return match, seated(match.battle.seats, players), Seal("", older=len(rolls))
