"""What each seat sees of a match now: the state message, made once per seat and version."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from grognard.kernel.errors import BadInput
from grognard.server.playing import telling
from grognard.server.playing.sitting import Sitting
from grognard.server.storage.storage import Seat

_encode = msgspec.json.Encoder().encode


class Log:
    """The entries of one viewer so far, ready for the wire, and the moment of each.

    `changed` counts how often entries were no longer what they had been: what is taken back in secret changes nothing.
    """

    def __init__(self, rewound: int = 0, changed: int = 0) -> None:
        self.rewound = rewound
        self.changed = changed
        self.events = 0
        self.entries: list[bytes] = []
        self.moments: list[int] = []


class Told(NamedTuple):
    """A state: all but the log, the entries to drop from on, those to add, and how often the log has changed."""

    state: bytes
    since: int
    entries: list[bytes]
    changed: int

    @property
    def length(self) -> int:
        """How long the log is now."""
        return self.since + len(self.entries)

    def message(self) -> bytes:
        """As it is sent."""
        return b'%b,"since":%d,"log":[%b]}' % (self.state[:-1], self.since, b",".join(self.entries))


class Views:
    """The views of one sitting, kept as long as they hold. Called with the sitting's thread only."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self._version = -1
        self._names: dict[str | None, telling.Names] = {}
        self._parts: dict[str | None, dict[str, Any]] = {}
        self._logs: dict[str | None, Log] = {}

    def state(self, seat: Seat, since: int, changed: int) -> Told:
        """The state message with the log from entry `since` on.

        Where the match went back after the viewer's last state, the whole log is sent again.
        """
        sitting = self.sitting
        log = self._log(seat.sees)
        begin = since if changed == log.changed else 0
        told = {
            "type": "state", "version": sitting.told_version(seat.sees), **self._part(seat.sees),
            "undo": self._undo(seat), "automatic": sitting.automatic.get(seat.seat, {}) if seat.role == "seat" else {},
            "hushed": list(sitting.hushed.get(seat.seat, ())) if seat.role == "seat" else [],
        }  # fmt: skip
        return Told(_encode(told), begin, log.entries[begin:], log.changed)

    def names(self, sees: str | None) -> telling.Names:
        """The names of all that these eyes know of."""
        self._fresh()
        if sees not in self._names:
            self._names[sees] = telling.names_of(self.sitting.match, sees)
        return self._names[sees]

    def sides(self) -> list[telling.Both]:
        """What each side is called."""
        names = self.names("")
        return [{lang: names[lang].get(side, side) for lang in names} for side in self.sitting.kept.players]

    def _fresh(self) -> None:
        if self._version != self.sitting.version:
            self._version = self.sitting.version
            self._names = {}
            self._parts = {}

    def _part(self, sees: str | None) -> dict[str, Any]:
        """What all viewers with the same eyes share."""
        self._fresh()
        if sees not in self._parts:
            match, ruleset, names = self.sitting.match, self.sitting.match.ruleset, self.names(sees)
            scene = match.scene(sees)
            seal, gathering = self.sitting.seal_for(sees), self.sitting.gathering
            self._parts[sees] = {
                "game": ruleset.id,
                "asked_at": self.sitting.asked_since(sees),
                "opened": self.sitting.told_version(""),
                "together": match.together,
                "answers": self.sitting.numbering.moments,
                "players": self.sitting.kept.players,
                "dice": self.sitting.kept.dice,
                "scene": msgspec.Raw(_encode(scene)),
                "names": telling.names_by_id(names),
                "words": telling.words_of(ruleset, scene),
                "pending": [
                    telling.question_plain(ruleset, question, names)
                    for question in match.pending
                    if (sees is None or question.seat == sees) and not gathering
                ],
                "waiting": gathering or match.waiting,
                "gathering": gathering,
                "over": match.over,
                "measuring": ruleset.tools.no_measuring(match.house) is None,
                "result": telling.result_plain(ruleset, match.result, names) if match.over else None,
                "seal": seal.seal,
                "seed": seal.seed or None,
                "sealed": seal,
            }
        return self._parts[sees]

    def _undo(self, seat: Seat) -> dict[str, Any]:
        """Whether taking back is fair (needs nobody), possible at all, and who has asked for it.

        `shown` tells that dice or secrets were, `to` how many answers would stand, after what is asked for or else
        after one's own wish; `secret` that it would be a secret of one's own.
        """
        sitting = self.sitting
        asked = sitting.asked
        wanted = asked.seat if asked.seat and asked.version == sitting.version else None
        needs = sitting.undo_needs(seat.seat) if seat.role == "seat" else None
        to = sitting.undo_place(seat.seat)
        return {
            "fair": needs == [], "possible": needs is not None, "asked": wanted, "agreed": list(asked.agreed),
            "shown": needs is not None and sitting.undo_shows(seat.seat),
            "to": sitting.numbering.number(asked.to if wanted else to),
            "secret": needs is not None and sitting.match.answers[to].secret,
        }  # fmt: skip

    def _log(self, sees: str | None) -> Log:
        match, ruleset = self.sitting.match, self.sitting.match.ruleset
        before = self._logs.get(sees)
        log = before
        if log is None or log.rewound != self.sitting.rewound:
            log = self._logs[sees] = Log(self.sitting.rewound, before.changed if before is not None else 0)
        names, numbering = self.names(sees), self.sitting.numbering
        for event, moment in zip(match.events[log.events :], match.times[log.events :], strict=True):
            if event.visible_to(sees):
                told = numbering.timed(moment)
                entry = telling.event_plain(ruleset, event, told, len(log.entries), names)
                log.entries.append(_encode(entry))
                log.moments.append(told.answers)
        log.events = len(match.events)
        if before is not None and log.entries[: len(before.entries)] != before.entries:
            log.changed += 1
        return log

    def account(self, seat: Seat, side: str, code: str) -> dict[str, Any]:
        """Why a number of a side is what it is, as far as the seat may know."""
        match, ruleset = self.sitting.match, self.sitting.match.ruleset
        player = next((player for player in match.scene(seat.sees).sides if player.id == side), None)
        counts = () if player is None else (*player.score, *player.pools)
        count = next((count for count in counts if count.code == code), None)
        if count is None:
            raise BadInput("{name} has no number {code}", name=side[:80], code=code[:80])
        if count.why:
            why = [{**msgspec.structs.asdict(change), "answer": None, "parts": []} for change in count.why]
        else:
            entries = match.account(side, code)
            timed = self.sitting.numbering.timed
            moments = [None if entry.event is None else timed(match.times[entry.place]) for entry in entries]
            known = sum(entry.amount for entry in entries) == count.value
            told = list(zip(entries, moments, strict=True)) if known else []
            why = telling.account_plain(ruleset, seat.sees, told, count.value, self.names(seat.sees))
        return {"side": side, "code": code, "text": count.text, "value": count.value, "why": why}

    def log_at(self, sees: str | None, answers: int) -> list[msgspec.Raw]:
        """The entries of one moment."""
        log = self._log(sees)
        held = zip(log.entries, log.moments, strict=True)
        return [msgspec.Raw(entry) for entry, moment in held if moment == answers]
