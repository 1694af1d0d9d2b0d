"""A match as bytes, to be looked at in another process: forked, gone back in, told of; nobody answers there.

Parcels are made and opened by the same version of Grognard on the same machine; what travels further is a save.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any

from grognard.kernel.match import shelf
from grognard.kernel.match.match import Match, Resumed
from grognard.kernel.ruleset import Ruleset


def pack(match: Match) -> bytes:
    """A match with its answers, events and checkpoints."""
    return pickle.dumps(
        {
            "game": match.ruleset.id, "setup": match.setup, "house": match.house, "ask_all": match.ask_all,
            "answers": match.answers, "events": list(match.events), "times": match.times, "battle": match.battle.copy(),
            "history": match.history, "checkpoints": list(match._checkpoints), "over": match.over,
            "shelf": match.shelf, "bare": match.bare,
        },
        protocol=pickle.HIGHEST_PROTOCOL,
    )  # fmt: skip


def unpack(raw: bytes, rulesets: Mapping[str, Ruleset]) -> Match:
    """The match of a parcel of ours."""
    held: dict[str, Any] = pickle.loads(raw)
    past = Resumed(
        held["checkpoints"], held["answers"], held["events"], shelf=held["shelf"], bare=held["bare"],
        times=held["times"], still=held["battle"], over=held["over"],
    )  # fmt: skip
    shelf.hold(past.shelf)  # its cards, for whatever is done with it here
    return Match(
        rulesets[held["game"]], held["setup"], house=held["house"], history=held["history"], ask_all=held["ask_all"],
        resume=past,
    )  # fmt: skip
