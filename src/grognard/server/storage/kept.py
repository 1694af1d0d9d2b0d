"""A match as it is kept: read from the store, replayed, with its dice, its cards and its story."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress

import msgspec

from grognard import games
from grognard.kernel.errors import BadInput
from grognard.kernel.match import saves, shelf
from grognard.kernel.match.dice import ByHand, Dice, Seal, Sealed, Withdrawn
from grognard.kernel.match.match import Match
from grognard.kernel.match.record import Answer
from grognard.server.playing.dice import PERSON, WORDS, SomeByHand, by_hand
from grognard.server.playing.marks import Mark, after_back, part_answers
from grognard.server.playing.numbering import Numbering
from grognard.server.storage.chronicle import Unplayable, told_since, unplayable
from grognard.server.storage.storage import Act, Kept, Store
from grognard.server.storage.trouble import AWAY, StorageTrouble, trouble

log = logging.getLogger("grognard.server")


class KeptMatch:
    """What the store holds of a match, brought into memory; Sitting plays it on.

    Where a write failed, what is in memory may be ahead of what is kept: the match is let go, `adrift`, and nothing is
    told or answered from it before it has been read again.
    """

    def __init__(self, store: Store, name: str) -> None:
        self.store = store
        self.name = name
        self.rewound = 0  # how often the match went back: what was told before then may no longer hold
        self._match: Match | None = None
        self._load()

    @property
    def match(self) -> Match:
        """The match as it is kept; StorageTrouble while that is not known."""
        if self._match is None:
            raise trouble(AWAY)
        return self._match

    @property
    def adrift(self) -> bool:
        """Whether it must be read again before anything else."""
        return self._match is None

    @property
    def people(self) -> list[str]:
        return [seat for seat, player in self.kept.players.items() if player == PERSON]

    @property
    def gathering(self) -> list[str]:
        """The seats whose players may still add words to the dice; nothing is asked before they have spoken."""
        return [seat for seat in self.people if seat not in self.words] if self.kept.dice == WORDS else []

    @property
    def numbering(self) -> Numbering:
        """How people count the answers so far."""
        return self._numbering.follow(self.match)

    def told_version(self, sees: str | None, version: int | None = None) -> int:
        """A version (the newest) as these eyes count: what others did in secret does not show."""
        newest = self.version if version is None else version
        if sees is None or (sees and sees == self._master):
            return newest
        return newest - sum(number <= newest and seat != sees for number, seat in self._quiet)

    def _load(self) -> None:
        """Replay the match from its acts."""
        kept, acts = self.store.load(self.name)
        self.kept: Kept = kept
        self.version = kept.version
        self.asked = kept.asked
        self._read_automatic()
        self.marks: list[Mark] = []
        self.hushed: dict[str, dict[str, None]] = {}  # what has been passed for each seat without asking
        self.withdrawn: list[Withdrawn] = []
        first = self.version - len(acts) + 1
        self._quiet = [(first + place, act.seat) for place, act in enumerate(acts) if act.quiet]
        self.words: dict[str, str] = {}  # what players added to the dice before the first roll
        answers: list[Answer] = []
        for act in acts:
            if act.words is not None:
                self.words[act.seat] = act.words
            elif act.back_to is None:
                self._mark(len(answers), act)
                answers += act.answers
            else:
                answers[act.back_to :] = act.answers
                self._unmark(act)
        # people look back; where computers play among themselves, hundreds of matches must fit
        history = "some" if self.people else "last"
        self._match = self._resumed(kept.header, answers, history)
        self._master = self._match.ruleset.game_master(self._match.house)  # who sees all
        self._numbering = Numbering()
        parts = part_answers(acts, self.match.unrevealed)
        self.asked_at = self.version - len(parts)
        self._own = {act.seat: self.asked_at + n for n, act in enumerate(parts, 1)}
        finished = kept.header.dice is not None and kept.header.dice.seed
        self._seal_dice([] if finished else self.seal.drawn(self._rolls()))
        with shelf.held(self._match.shelf), suppress(StorageTrouble):  # it can be looked at without
            self._tell_story()

    def _resumed(self, header: saves.Header, answers: Sequence[Answer], history: str) -> Match:
        """The match, played on from its answers; Unplayable where this Grognard cannot."""
        old = unplayable(header)
        if old is not None:
            raise old
        whole = self._with_cards(header)
        try:
            match = saves.resume(whole, answers, games.RULESETS, history=history, timed=True, reckoned=True)
        except BadInput as error:
            log.error("match %s cannot be replayed: %s", self.name, error)
            raise Unplayable(
                410, "unplayable",
                "this Grognard cannot play this match on; what happened in it can still be read ({problem})",
                problem=error,
            ) from None  # fmt: skip
        match.bare = False
        return match

    def _tell_story(self) -> None:
        """Keep what happened so far in words, where that was not done when it happened."""
        if not self.store.has_story(self.name) and (told := told_since(self.match, -1)) is not None:
            self.store.tell_story(self.name, self.version, told)

    def _with_cards(self, header: saves.Header) -> saves.Header:
        """The header with the cards the match was begun with, where the game's own have changed since."""
        ruleset = games.RULESETS.get(header.game)
        if ruleset is None or header.cards == ruleset.cards_hash:
            return header
        return msgspec.structs.replace(header, sheets=self.store.sheets(header.cards))

    def _seal_dice(self, drawn: Sequence[tuple[int, tuple[int, ...]]] = ()) -> None:
        self.sealed = Sealed(bytes.fromhex(self.kept.seed), self._contributions).resume(drawn)
        self.match.dice = self._dice()

    def _read_automatic(self) -> None:
        seats = self.store.seats_of(self.name)
        self.automatic = {seat.seat: seat.automatic for seat in seats if seat.role == "seat"}

    def _mark(self, start: int, act: Act) -> None:
        self.marks.append(Mark(start, act.seat, act.by))
        if act.by == "automatic":
            self.hushed.setdefault(act.seat, {})[act.answers[0].name] = None

    def _unmark(self, act: Act) -> None:
        self.marks = after_back(self.marks, act)
        self.withdrawn = sorted([*self.withdrawn, *act.withdrawn], key=lambda roll: roll.place)

    @property
    def _contributions(self) -> tuple[bytes, ...]:
        return contributions(self.people, self.words)

    def _dice(self) -> Dice:
        if self.gathering:
            return ByHand()
        seats = by_hand(self.kept.dice, self.kept.players)
        return SomeByHand(self.sealed, seats) if seats else self.sealed

    def _rolls(self, since: int = 0) -> list[tuple[str, int, tuple[int, ...]]]:
        """Every roll after so many answers as (seat, sides, faces)."""
        rolls = (
            event
            for event, moment in zip(self.match.events, self.match.times, strict=True)
            if event.kind == "roll" and moment.answers > since
        )
        return [(event.about[0], event.data["sides"], tuple(event.data["faces"])) for event in rolls]

    def _who_saw(self, since: int = 0) -> list[str]:
        """Of every sealed roll after so many answers who alone saw it; empty where all did."""
        hands = by_hand(self.kept.dice, self.kept.players)
        return [
            "" if event.seats is None else event.about[0]
            for event, moment in zip(self.match.events, self.match.times, strict=True)
            if event.kind == "roll" and moment.answers > since and event.about[0] not in hands
        ]

    def seal_for(self, sees: str | None) -> Seal:
        """The seal as far as these eyes may know while the match runs: no secret rolls of others, not even counted."""
        seal = self.seal
        if sees is None or self.match.over or not seal.withdrawn:
            return seal
        owners = self._who_saw()[seal.older :]
        for roll in seal.withdrawn:
            owners.insert(roll.place, roll.secret)
        unseen = [place for place, owner in enumerate(owners) if owner not in ("", sees)]
        told = [
            msgspec.structs.replace(roll, place=roll.place - sum(place < roll.place for place in unseen))
            for roll in seal.withdrawn
            if roll.secret in ("", sees)
        ]
        return msgspec.structs.replace(seal, withdrawn=tuple(told))

    @property
    def seal(self) -> Seal:
        """What may be told of the dice now: the seed only when the match is over."""
        added = () if self.gathering else self._contributions
        return _seal(self.kept, self.match.over, added, self.withdrawn)

    def _reload(self) -> None:
        self._match = None
        self._load()
        self.rewound += 1


def contributions(people: Sequence[str], words: Mapping[str, str]) -> tuple[bytes, ...]:
    """What goes into the dice beside the seed: who said what, in the order of the seats."""
    return tuple(f"{seat}: {words[seat]}".encode() for seat in people if words.get(seat))


def _seal(kept: Kept, over: bool, added: Sequence[bytes], withdrawn: Sequence[Withdrawn]) -> Seal:
    old = kept.header.dice  # a match brought in from a file has rolls that are not ours
    if old is not None and old.seed:
        return old
    commitment = Sealed(bytes.fromhex(kept.seed)).commitment
    older = old.older if old is not None else 0
    hands = by_hand(kept.dice, kept.players)
    return Seal(
        commitment, kept.seed if over else "", tuple(part.hex() for part in added), hands, older, tuple(withdrawn)
    )


def seal_of(kept: Kept, acts: Sequence[Act]) -> Seal:
    """What may be told of the dice of a match, from its record alone."""
    people = [seat for seat, player in kept.players.items() if player == PERSON]
    words = {act.seat: act.words for act in acts if act.words is not None}
    gathering = kept.dice == WORDS and any(seat not in words for seat in people)
    withdrawn = sorted((roll for act in acts for roll in act.withdrawn), key=lambda roll: roll.place)
    return _seal(kept, kept.over, () if gathering else contributions(people, words), withdrawn)
