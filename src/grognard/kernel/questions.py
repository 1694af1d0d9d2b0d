"""The closed set of questions a rule script may ask.

A script yields a question and gets the answer back. Answers travel as plain JSON (`wire`), and reach
the script decoded. Every question knows its legal answers: `decode` turns a wire answer into the
script's value or raises `Refused`; `refusal` says why not without raising; `sample` gives a legal
wire answer; `forced` gives the answer when only one exists.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from random import Random
from typing import Any, Protocol, TypeVar

import msgspec

from grognard.kernel.errors import Refusal, Refused, ScriptError
from grognard.kernel.tally import Tally

#: "There is more than one possible answer."
OPEN: Any = type("Open", (), {"__repr__": lambda self: "OPEN", "__bool__": lambda self: False})()


class Option(msgspec.Struct, frozen=True):
    """One thing that can be picked. `key` is what travels, `value` what the script gets."""

    key: str
    value: Any = None
    text: str = ""
    about: tuple[str, ...] = ()
    data: dict[str, Any] = {}


def option(key: str, value: Any = None, **more: Any) -> Option:
    """An option whose value is its key unless given."""
    return Option(key, key if value is None else value, **more)


class Question:
    """What every decision carries: who is asked, what it is called, which rule asks, what it is about."""

    __slots__ = ("about", "checkpoint", "data", "name", "reveals", "rule", "seat", "secret")
    kind = "question"

    def __init__(
        self,
        seat: str,
        name: str,
        *,
        rule: str,
        about: Sequence[str] = (),
        data: dict[str, Any] | None = None,
        checkpoint: bool = False,
        secret: bool = False,
        reveals: bool = False,
    ) -> None:
        self.seat = seat
        self.name = name
        self.rule = rule
        self.about = tuple(about)
        self.data = data or {}
        self.checkpoint = checkpoint
        self.secret = secret
        self.reveals = reveals

    def decode(self, wire: Any) -> Any:
        """The script's value for a wire answer; raises Refused when the rules forbid it."""
        raise NotImplementedError

    def encode(self, wire: Any) -> Any:
        """The wire answer as it is recorded; shorthand is written out in full."""
        return wire

    def refusal(self, wire: Any) -> Refusal | None:
        """Why this answer is not allowed, or None."""
        try:
            self.decode(wire)
        except Refused as refused:
            return refused.refusal
        return None

    def sample(self, rng: Random) -> Any:
        """Some legal wire answer."""
        raise NotImplementedError

    def candidates(self, limit: int = 64) -> list[Any]:
        """Wire answers worth comparing; all of them where there are few."""
        raise NotImplementedError

    def forced(self) -> Any:
        """The only possible wire answer, or OPEN."""
        return OPEN

    def refuse(self, code: str, **data: Any) -> Refused:
        return Refused(Refusal(code, self.rule, {"question": self.name, **data}))

    def wire(self) -> dict[str, Any]:
        """The question as a screen needs it."""
        return {
            "kind": self.kind,
            "seat": self.seat,
            "name": self.name,
            "rule": self.rule,
            "about": list(self.about),
            "data": self.data,
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.seat}: {self.name})"


class Pick(Question):
    """Choose k of n options. With most=1 the script gets the value (None if declined), else a tuple.

    `barred` are things a player would look for among the options and the reason each is not there.
    """

    __slots__ = ("barred", "least", "most", "options")
    kind = "pick"

    def __init__(
        self,
        seat: str,
        name: str,
        options: Sequence[Option],
        *,
        least: int = 1,
        most: int = 1,
        optional: bool = False,
        barred: dict[str, Refusal] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(seat, name, **more)
        self.options = tuple(options)
        self.least = 0 if optional else least
        self.most = most
        self.barred = barred or {}
        if self.least > len(self.options):
            raise ScriptError(f"{name}: asks for {self.least} of {len(self.options)} options")

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(o.key for o in self.options)

    def _value(self, key: Any) -> Any:
        for o in self.options:
            if o.key == key:
                return o.value
        if isinstance(key, str) and key in self.barred:
            raise Refused(self.barred[key])
        raise self.refuse("refuse.no-such-option", answer=str(key), options=", ".join(self.keys))

    def decode(self, wire: Any) -> Any:
        if self.most == 1:
            if wire is None or wire == []:
                if self.least:
                    raise self.refuse("refuse.must-choose", options=", ".join(self.keys))
                return None
            if isinstance(wire, list) and len(wire) == 1:
                wire = wire[0]
            return self._value(wire)
        keys = [] if wire is None else wire
        if not isinstance(keys, list | tuple) or len(dict.fromkeys(map(str, keys))) != len(keys):
            raise self.refuse("refuse.not-a-list")
        values = tuple(self._value(key) for key in keys)
        if not self.least <= len(values) <= self.most:
            raise self.refuse("refuse.wrong-count", got=len(values), least=self.least, most=self.most)
        return values

    def sample(self, rng: Random) -> Any:
        if self.most == 1:
            if not self.least and rng.random() * (len(self.options) + 1) < 1:
                return None
            return rng.choice(self.options).key
        count = rng.randint(self.least, min(self.most, len(self.options)))
        chosen = sorted(rng.sample(range(len(self.options)), count))
        return [self.options[i].key for i in chosen]

    def candidates(self, limit: int = 64) -> list[Any]:
        keys: list[Any] = list(self.keys[:limit])
        if self.most == 1:
            return keys if self.least else [*keys, None]
        least, most = list(self.keys[: self.least]), list(self.keys[: self.most])
        singles = [[key] for key in keys] if self.least <= 1 <= self.most else []
        return [most, *([least] if least != most else []), *singles]

    def forced(self) -> Any:
        if self.least == len(self.options):
            keys = list(self.keys)
            return (keys[0] if keys else None) if self.most == 1 else keys
        return OPEN

    def wire(self) -> dict[str, Any]:
        return super().wire() | {
            "options": [{"key": o.key, "text": o.text, "about": list(o.about), "data": o.data} for o in self.options],
            "least": self.least,
            "most": self.most,
            "barred": {key: msgspec.to_builtins(refusal) for key, refusal in self.barred.items()},
        }


class Judge(Protocol):
    """What decides a placement: the game's rules of the move, made for one question."""

    def decode(self, wire: Any) -> Any:
        """The placement in the game's terms; raises Refused."""
        ...

    def encode(self, wire: Any) -> Any:
        """The placement written out in full, in millimetres."""
        ...

    def proposals(self) -> Sequence[str]:
        """Names of placements worth considering, best known first, cheap to list."""
        ...

    def propose(self, name: str) -> Any:
        """The wire placement of that name, legal, or None when there is none."""
        ...


class Place(Question):
    """Where models or a block go: for each mover a path and an end. The path is the proof.

    A wire answer is the judge's own form or {"propose": name}; None declines where that is allowed.
    """

    __slots__ = ("judge", "movers", "optional")
    kind = "place"

    def __init__(
        self, seat: str, name: str, movers: Sequence[str], judge: Judge, *, optional: bool = False, **more: Any
    ) -> None:
        super().__init__(seat, name, **more)
        self.movers = tuple(movers)
        self.judge = judge
        self.optional = optional

    def _expand(self, wire: Any) -> Any:
        if isinstance(wire, dict) and set(wire) == {"propose"}:
            proposed = self.judge.propose(str(wire["propose"])) if wire["propose"] in self.judge.proposals() else None
            if proposed is None:
                raise self.refuse(
                    "refuse.no-such-proposal", answer=str(wire["propose"]), options=", ".join(self.judge.proposals())
                )
            return proposed
        return wire

    def decode(self, wire: Any) -> Any:
        if wire is None:
            if not self.optional:
                raise self.refuse("refuse.must-place")
            return None
        return self.judge.decode(self._expand(wire))

    def encode(self, wire: Any) -> Any:
        return None if wire is None else self.judge.encode(self._expand(wire))

    def sample(self, rng: Random) -> Any:
        names = list(self.judge.proposals())
        if self.optional and rng.random() * (len(names) + 1) < 1:
            return None
        rng.shuffle(names)
        for name in names:
            wire = self.judge.propose(name)
            if wire is not None:
                return wire
        if self.optional:
            return None
        raise ScriptError(f"{self.name}: no legal placement is known")

    def candidates(self, limit: int = 64) -> list[Any]:
        found = [wire for name in self.judge.proposals() if (wire := self.judge.propose(name)) is not None]
        return [*found[:limit], *([None] if self.optional else [])]

    def wire(self) -> dict[str, Any]:
        return super().wire() | {
            "movers": list(self.movers),
            "optional": self.optional,
            "proposals": list(self.judge.proposals()),
        }


class Split(Question):
    """Share n among options: {key: number}; each within its limits, the sum exactly n (or at most)."""

    __slots__ = ("exact", "limits", "options", "total")
    kind = "split"

    def __init__(
        self,
        seat: str,
        name: str,
        options: Sequence[Option],
        total: int,
        *,
        limits: dict[str, tuple[int, int]] | None = None,
        exact: bool = True,
        **more: Any,
    ) -> None:
        super().__init__(seat, name, **more)
        self.options = tuple(options)
        self.total = total
        self.exact = exact
        self.limits = {o.key: (limits or {}).get(o.key, (0, total)) for o in self.options}

    def decode(self, wire: Any) -> Any:
        if not isinstance(wire, dict):
            raise self.refuse("refuse.not-a-split", options=", ".join(self.limits))
        shares: dict[Any, int] = {}
        for key in wire:
            if key not in self.limits:
                raise self.refuse("refuse.no-such-option", answer=str(key), options=", ".join(self.limits))
        for o in self.options:
            share = wire.get(o.key, 0)
            low, high = self.limits[o.key]
            if type(share) is not int or not low <= share <= high:
                raise self.refuse("refuse.share-out-of-range", answer=str(share), key=o.key, least=low, most=high)
            shares[o.key] = share
        given = sum(shares.values())
        if given > self.total or (self.exact and given != self.total):
            raise self.refuse("refuse.wrong-sum", got=given, total=self.total)
        return shares

    def _fill(self, order: Sequence[str]) -> dict[str, int]:
        shares = {key: low for key, (low, _) in self.limits.items()}
        left = self.total - sum(shares.values())
        for key in order:
            more = min(left, self.limits[key][1] - shares[key])
            shares[key] += more
            left -= more
        return shares

    def sample(self, rng: Random) -> Any:
        shares = {key: low for key, (low, _) in self.limits.items()}
        for _ in range(self.total - sum(shares.values())):
            free = [key for key, (_, high) in self.limits.items() if shares[key] < high]
            if not free:
                break
            shares[rng.choice(free)] += 1
        return shares

    def candidates(self, limit: int = 64) -> list[Any]:
        keys = list(self.limits)
        found: list[Any] = []
        for i in range(min(len(keys), limit)):
            shares = self._fill([*keys[i:], *keys[:i]])
            if shares not in found:
                found.append(shares)
        return found

    def forced(self) -> Any:
        if not self.exact and self.total:
            return OPEN
        keys = list(self.limits)
        if not keys or self.total == sum(low for low, _ in self.limits.values()):
            return {key: low for key, (low, _) in self.limits.items()}
        return self._fill(keys) if len(keys) == 1 else OPEN

    def wire(self) -> dict[str, Any]:
        return super().wire() | {
            "options": [{"key": o.key, "text": o.text, "about": list(o.about), "data": o.data} for o in self.options],
            "total": self.total,
            "exact": self.exact,
            "limits": {key: list(pair) for key, pair in self.limits.items()},
        }


class Order(Question):
    """Put items in order: a list of all keys. The script gets the values in that order."""

    __slots__ = ("options",)
    kind = "order"

    def __init__(self, seat: str, name: str, options: Sequence[Option], **more: Any) -> None:
        super().__init__(seat, name, **more)
        self.options = tuple(options)

    def decode(self, wire: Any) -> Any:
        values = {o.key: o.value for o in self.options}
        if not isinstance(wire, list | tuple) or sorted(map(str, wire)) != sorted(values):
            raise self.refuse("refuse.not-an-order", options=", ".join(values))
        return tuple(values[str(key)] for key in wire)

    def sample(self, rng: Random) -> Any:
        keys = [o.key for o in self.options]
        rng.shuffle(keys)
        return keys

    def candidates(self, limit: int = 64) -> list[Any]:
        keys = [o.key for o in self.options]
        return [[*keys[i:], *keys[:i]] for i in range(min(len(keys), limit))] or [[]]

    def forced(self) -> Any:
        return [o.key for o in self.options] if len(self.options) < 2 else OPEN

    def wire(self) -> dict[str, Any]:
        return super().wire() | {
            "options": [{"key": o.key, "text": o.text, "about": list(o.about), "data": o.data} for o in self.options]
        }


class Number(Question):
    """Choose or guess one number between low and high; whole unless step says otherwise."""

    __slots__ = ("high", "low", "step")
    kind = "number"

    def __init__(self, seat: str, name: str, low: float, high: float, *, step: float = 1, **more: Any) -> None:
        super().__init__(seat, name, **more)
        self.low = low
        self.high = high
        self.step = step

    def decode(self, wire: Any) -> Any:
        if isinstance(wire, bool) or not isinstance(wire, int | float):
            raise self.refuse("refuse.not-a-number", answer=str(wire), least=self.low, most=self.high)
        steps = (wire - self.low) / self.step
        if not self.low <= wire <= self.high or abs(steps - round(steps)) > 1e-9:
            raise self.refuse("refuse.number-out-of-range", answer=wire, least=self.low, most=self.high)
        return wire

    def _count(self) -> int:
        return int((self.high - self.low) / self.step + 1e-9)

    def sample(self, rng: Random) -> Any:
        return self.low + rng.randint(0, self._count()) * self.step

    def candidates(self, limit: int = 64) -> list[Any]:
        count = self._count()
        every = max(1, -(-count // (limit - 1)))
        return [self.low + i * self.step for i in range(0, count + 1, every)]

    def forced(self) -> Any:
        return self.low if self._count() == 0 else OPEN

    def wire(self) -> dict[str, Any]:
        return super().wire() | {"low": self.low, "high": self.high, "step": self.step}


class Roll:
    """Dice. The answer is a tuple of faces.

    `plus` is what the rules add to the die, `need` what it is compared with, `sense` how ("high": total
    at least need, "over": total more than need, "under": face at most need, "value": the number itself).
    They explain the roll; the script draws the consequence. `cuts` promises that the script only looks at
    which side of each cut a face lies (cut c separates faces < c from faces >= c), so that weighing may
    merge the faces between cuts.
    """

    __slots__ = ("about", "count", "cuts", "name", "need", "plus", "rule", "seat", "sense", "sides")
    kind = "roll"

    def __init__(
        self,
        seat: str,
        name: str,
        sides: int,
        count: int = 1,
        *,
        rule: str,
        about: Sequence[str] = (),
        plus: Tally | None = None,
        need: Tally | int | None = None,
        sense: str = "value",
        cuts: tuple[int, ...] | None = None,
    ) -> None:
        self.seat = seat
        self.name = name
        self.sides = sides
        self.count = count
        self.rule = rule
        self.about = tuple(about)
        self.plus = plus
        self.need = need
        self.sense = sense
        self.cuts = cuts

    def decode(self, wire: Any) -> tuple[int, ...]:
        faces = [wire] if type(wire) is int else wire
        if (
            not isinstance(faces, list | tuple)
            or len(faces) != self.count
            or not all(type(face) is int and 1 <= face <= self.sides for face in faces)
        ):
            raise Refused(
                Refusal(
                    "refuse.bad-faces", self.rule, {"question": self.name, "count": self.count, "sides": self.sides}
                )
            )
        return tuple(faces)

    def refusal(self, wire: Any) -> Refusal | None:
        try:
            self.decode(wire)
        except Refused as refused:
            return refused.refusal
        return None

    def sample(self, rng: Random) -> list[int]:
        return [rng.randint(1, self.sides) for _ in range(self.count)]

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule that had a say in this roll."""
        tallies = [t for t in (self.plus, self.need) if isinstance(t, Tally)]
        return (self.rule, *(rule for t in tallies for rule in t.rules))

    def record(self, faces: tuple[int, ...]) -> dict[str, Any]:
        """The roll and its explanation as plain data."""
        data: dict[str, Any] = {"name": self.name, "sides": self.sides, "faces": list(faces), "sense": self.sense}
        if self.plus is not None:
            data["plus"] = self.plus.value
            data["plus_why"] = self.plus.why()
            data["total"] = sum(faces) + self.plus.value
        if isinstance(self.need, Tally):
            data["need"] = self.need.value
            data["need_why"] = self.need.why()
        elif self.need is not None:
            data["need"] = self.need
        return data

    def wire(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "seat": self.seat, "name": self.name, "rule": self.rule, "about": list(self.about),
            "data": {}, "sides": self.sides, "count": self.count,
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"Roll({self.seat}: {self.name} {self.count}D{self.sides})"


class Together:
    """Questions asked of several players at once, in secret; answered in any order, revealed together."""

    __slots__ = ("checkpoint", "questions")

    def __init__(self, questions: Sequence[Question], *, checkpoint: bool = False) -> None:
        self.questions = tuple(questions)
        self.checkpoint = checkpoint
        for question in self.questions:
            question.secret = True


T = TypeVar("T")
Ask = Question | Roll | Together
Script = Generator[Ask, Any, T]
#: A step is a script over a small hashable state that only rolls (and offers re-rolls): it can be weighed.
Step = Callable[..., Script[T]]
