"""What each seat sees of a match now: the state message, made once per seat and version."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.kernel.accounts import Reckoned
from grognard.kernel.errors import BadInput
from grognard.server import telling
from grognard.server.sitting import Sitting
from grognard.server.storage import Seat

_encode = msgspec.json.Encoder().encode


class Log:
    """The entries of one viewer so far, ready for the wire."""

    def __init__(self) -> None:
        self.rewound = 0
        self.events = 0
        self.entries: list[msgspec.Raw] = []


class Views:
    """The views of one sitting, kept as long as they hold. Called with the sitting's thread only."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self._version = -1
        self._names: telling.Names = {}
        self._parts: dict[str | None, dict[str, Any]] = {}
        self._logs: dict[str | None, Log] = {}

    def state(self, seat: Seat, since: int, rewound: int) -> tuple[bytes, int, int]:
        """The state message with the log from entry `since` on; how long the log is now, and when it last went back.

        Where the match went back after the viewer's last state, the whole log is sent again.
        """
        sitting = self.sitting
        log = self._log(seat.sees)
        begin = since if rewound == sitting.rewound else 0
        told = {
            "type": "state", "version": sitting.version, **self._part(seat.sees),
            "undo": self._undo(seat), "automatic": sitting.automatic.get(seat.seat, {}) if seat.role == "seat" else {},
            "hushed": list(sitting.hushed.get(seat.seat, ())) if seat.role == "seat" else [],
            "since": begin, "log": log.entries[begin:],
        }  # fmt: skip
        return _encode(told), len(log.entries), sitting.rewound

    @property
    def names(self) -> telling.Names:
        self._fresh()
        return self._names

    def sides(self) -> list[telling.Both]:
        """What each side is called."""
        names = self.names
        return [{lang: names[lang].get(side, side) for lang in names} for side in self.sitting.kept.players]

    def _fresh(self) -> None:
        if self._version != self.sitting.version:
            self._version = self.sitting.version
            self._names = telling.names_of(self.sitting.match)
            self._parts = {}

    def _part(self, sees: str | None) -> dict[str, Any]:
        """What all viewers with the same eyes share."""
        self._fresh()
        if sees not in self._parts:
            match, ruleset = self.sitting.match, self.sitting.match.ruleset
            scene = match.scene(sees)
            seal, gathering = self.sitting.seal, self.sitting.gathering
            self._parts[sees] = {
                "game": ruleset.id,
                "asked_at": self.sitting.asked_since(sees),
                "together": match.unrevealed > 0 or len(match.pending) > 1,
                "answers": len(match.answers),
                "players": self.sitting.kept.players,
                "dice": self.sitting.kept.dice,
                "scene": msgspec.Raw(_encode(scene)),
                "names": telling.names_by_id(self._names),
                "words": telling.words_of(ruleset, scene),
                "pending": [
                    telling.question_plain(ruleset, question, self._names)
                    for question in match.pending
                    if (sees is None or question.seat == sees) and not gathering
                ],
                "waiting": gathering or [question.seat for question in match.pending],
                "gathering": gathering,
                "over": match.over,
                "measuring": ruleset.tools.no_measuring(match.house) is None,
                "result": telling.result_plain(ruleset, match.result, self._names) if match.over else None,
                "seal": seal.seal,
                "seed": seal.seed or None,
                "sealed": seal,
            }
        return self._parts[sees]

    def _undo(self, seat: Seat) -> dict[str, Any]:
        """Whether taking back is fair (needs nobody), possible at all, and who has asked for it.

        `shown` tells that dice or secrets were, `to` how many answers would stand, after what is asked for or else
        after one's own wish.
        """
        sitting = self.sitting
        asked = sitting.asked
        wanted = asked.seat if asked.seat and asked.version == sitting.version else None
        needs = sitting.undo_needs(seat.seat) if seat.role == "seat" else None
        to = sitting.undo_place(seat.seat)
        return {
            "fair": needs == [], "possible": needs is not None, "asked": wanted, "agreed": list(asked.agreed),
            "shown": needs is not None and sitting.match.undo_refusal(to) is not None,
            "to": asked.to if wanted else to,
        }  # fmt: skip

    def _log(self, sees: str | None) -> Log:
        match, ruleset = self.sitting.match, self.sitting.match.ruleset
        log = self._logs.get(sees)
        if log is None or log.rewound != self.sitting.rewound:
            log = self._logs[sees] = Log()
            log.rewound = self.sitting.rewound
        names = self.names
        for event, moment in zip(match.events[log.events :], match.times[log.events :], strict=True):
            if event.visible_to(sees):
                entry = telling.event_plain(ruleset, event, moment, len(log.entries), names)
                log.entries.append(msgspec.Raw(_encode(entry)))
        log.events = len(match.events)
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
            entries = match.events.account(side, code) if isinstance(match.events, Reckoned) else []
            moments = [None if entry.event is None else match.times[entry.place] for entry in entries]
            known = sum(entry.amount for entry in entries) == count.value
            told = list(zip(entries, moments, strict=True)) if known else []
            why = telling.account_plain(ruleset, seat.sees, told, count.value, self.names)
        return {"side": side, "code": code, "text": count.text, "value": count.value, "why": why}

    def log_at(self, sees: str | None, answers: int) -> list[msgspec.Raw]:
        """The entries of one moment."""
        match = self.sitting.match
        log = self._log(sees)
        seen = [m for e, m in zip(match.events, match.times, strict=True) if e.visible_to(sees)]
        return [entry for entry, moment in zip(log.entries, seen, strict=True) if moment.answers == answers]
