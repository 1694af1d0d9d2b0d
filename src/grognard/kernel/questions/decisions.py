"""The five kinds of decision: Pick, Place, Split, Order, Number."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from grognard.kernel.errors import Refusal, Refused, ScriptError
from grognard.kernel.questions.base import OPEN, Option, Question, shown


class Pick(Question):
    """Choose k of n options. With most=1 the script gets the value (None if declined), else a tuple.

    `barred` are things a player would look for among the options and the reason each is not there; those that nobody
    would look for are `unlisted`: no screen shows them, but whoever names one is told why not. `nay` is the option that
    comes to the same as declining.
    """

    __slots__ = ("barred", "least", "most", "nay", "options", "unlisted")
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
        unlisted: Sequence[str] = (),
        nay: str | None = None,
        **more: Any,
    ) -> None:
        super().__init__(seat, name, **more)
        self.options = tuple(options)
        self.nay = nay
        self.least = 0 if optional else least
        self.most = most
        self.barred = barred or {}
        self.unlisted = frozenset(unlisted)
        if self.least > min(self.most, len(self.options)):
            raise ScriptError(f"{name}: asks for {self.least} to {most} of {len(self.options)} options")

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(o.key for o in self.options)

    @property
    def listed(self) -> dict[str, Refusal]:
        """What is barred and shown to be so."""
        return {key: why for key, why in self.barred.items() if key not in self.unlisted}

    def _value(self, key: Any) -> Any:
        for o in self.options:
            if o.key == key:
                return o.value
        if isinstance(key, str) and key in self.barred:
            raise Refused(self.barred[key])
        raise self.refuse("refuse.no-such-option", answer=shown(key), options=", ".join(self.keys))

    def decode(self, wire: Any) -> Any:
        if self.most == 1:
            key = self.encode(wire)
            if key is not None:
                return self._value(key)
            if self.least:
                raise self.refuse("refuse.must-choose", options=", ".join(self.keys))
            return None
        keys = [] if wire is None else wire
        if not isinstance(keys, list | tuple):
            raise self.refuse("refuse.not-a-list")
        values = tuple(self._value(key) for key in keys)
        if len(dict.fromkeys(keys)) != len(keys):
            raise self.refuse("refuse.not-a-list")
        if not self.least <= len(values) <= self.most:
            raise self.refuse("refuse.wrong-count", got=len(values), least=self.least, most=self.most)
        return values

    def encode(self, wire: Any) -> Any:
        if self.most == 1:
            if isinstance(wire, list | tuple) and len(wire) < 2:
                return wire[0] if wire else None
            return wire
        return list(wire or ())

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
        found = [list(self.keys[: self.most]), list(self.keys[: self.least])]
        if self.least <= 1 <= self.most:
            found += [[key] for key in keys]
        return [wire for place, wire in enumerate(found) if wire not in found[:place]]

    def forced(self) -> Any:
        if self.least < len(self.options) and self.most:
            return OPEN
        keys = list(self.keys[: self.least])
        return (keys[0] if keys else None) if self.most == 1 else keys

    @property
    def decided(self) -> bool:
        return not self.least and self.most == 1 and self.keys == (self.nay,)

    def wire(self) -> dict[str, Any]:
        return super().wire() | {
            "options": [o.wire() for o in self.options],
            "least": self.least,
            "most": self.most,
            "barred": {key: refusal.wire() for key, refusal in self.listed.items()},
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
            name, names = wire["propose"], list(self.judge.proposals())
            proposed = self.judge.propose(name) if name in names else None
            if proposed is None:
                raise self.refuse("refuse.no-such-proposal", answer=shown(name), options=", ".join(names))
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
        found: list[Any] = []
        for name in self.judge.proposals():
            wire = self.judge.propose(name) if len(found) < limit else None
            if wire is not None and wire not in found:
                found.append(wire)
        return [*found, *([None] if self.optional else [])]

    def wire(self) -> dict[str, Any]:
        return super().wire() | {
            "movers": list(self.movers),
            "optional": self.optional,
            "proposals": list(self.judge.proposals()),
        }


class Split(Question):
    """Share n among options: {key: number}; each within its limits, the sum exactly n (or at most).

    `filled`: what is not said goes to the first options that have room, so that all n are shared in the end.
    """

    __slots__ = ("exact", "filled", "limits", "options", "total")
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
        filled: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(seat, name, **more)
        self.options = tuple(options)
        self.total = total
        self.filled = filled
        self.exact = exact
        self.limits = {o.key: (limits or {}).get(o.key, (0, total)) for o in self.options}
        least, most = self._bounds()
        if least > total or (exact and most < total) or any(low > high for low, high in self.limits.values()):
            raise ScriptError(f"{name}: {total} cannot be shared within the limits {self.limits}")

    def _bounds(self) -> tuple[int, int]:
        """The least and the most that the limits let be shared out."""
        return sum(low for low, _ in self.limits.values()), sum(high for _, high in self.limits.values())

    def decode(self, wire: Any) -> Any:
        if not isinstance(wire, dict):
            raise self.refuse("refuse.not-a-split", options=", ".join(self.limits))
        shares: dict[str, int] = {}
        for key in wire:
            if key not in self.limits:
                raise self.refuse("refuse.no-such-option", answer=shown(key), options=", ".join(self.limits))
        for o in self.options:
            share = wire.get(o.key, 0)
            low, high = self.limits[o.key]
            if type(share) is not int or not low <= share <= high:
                raise self.refuse("refuse.share-out-of-range", answer=shown(share), key=o.key, least=low, most=high)
            shares[o.key] = share
        given = sum(shares.values())
        if given > self.total or (self.exact and given != self.total):
            raise self.refuse("refuse.wrong-sum", got=given, total=self.total)
        return self._fill(list(self.limits), shares) if self.filled else shares

    def encode(self, wire: Any) -> Any:
        return {key: wire.get(key, 0) for key in self.limits}

    def _fill(self, order: Sequence[str], given: dict[str, int] | None = None) -> dict[str, int]:
        """All of it shared out: what is given, then as much as each in this order takes."""
        shares = dict(given) if given else {key: low for key, (low, _) in self.limits.items()}
        left = self.total - sum(shares.values())
        for key in order:
            more = min(left, self.limits[key][1] - shares[key])
            shares[key] += more
            left -= more
        return shares

    def sample(self, rng: Random) -> Any:
        shares = {key: low for key, (low, _) in self.limits.items()}
        left = self.total - sum(shares.values())
        for _ in range(left if self.exact else rng.randint(0, left)):
            free = [key for key, (_, high) in self.limits.items() if shares[key] < high]
            if not free:
                break
            shares[rng.choice(free)] += 1
        return shares

    def candidates(self, limit: int = 64) -> list[Any]:
        keys = list(self.limits)
        found = [self._fill([*keys[i:], *keys[:i]]) for i in range(min(len(keys), limit))]
        if not self.exact or not keys:
            found.append({key: low for key, (low, _) in self.limits.items()})
        return [wire for place, wire in enumerate(found) if wire not in found[:place]]

    def forced(self) -> Any:
        least, most = self._bounds()
        free = sum(low < high for low, high in self.limits.values())
        if least in (most, self.total) or (self.exact and (most == self.total or free == 1)):
            return self._fill(list(self.limits))
        return OPEN

    def wire(self) -> dict[str, Any]:
        return super().wire() | {
            "options": [o.wire() for o in self.options],
            "total": self.total,
            "exact": self.exact,
            "filled": self.filled,
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
        keys = self.encode(wire) if isinstance(wire, list | tuple) else None
        if keys is None or sorted(keys) != sorted(values):
            raise self.refuse("refuse.not-an-order", options=", ".join(values))
        return tuple(values[key] for key in keys)

    def encode(self, wire: Any) -> Any:
        return [key if isinstance(key, str) else shown(key) for key in wire]

    def sample(self, rng: Random) -> Any:
        keys = [o.key for o in self.options]
        rng.shuffle(keys)
        return keys

    def candidates(self, limit: int = 64) -> list[Any]:
        keys = [o.key for o in self.options]
        turns = [[*keys[i:], *keys[:i]] for i in range(min(len(keys), limit))] or [[]]
        back = keys[::-1]
        return turns if back in turns else [*turns, back]

    def forced(self) -> Any:
        return [o.key for o in self.options] if len(self.options) < 2 else OPEN

    def wire(self) -> dict[str, Any]:
        return super().wire() | {"options": [o.wire() for o in self.options]}


class Number(Question):
    """Choose or guess one number between low and high; whole unless step says otherwise.

    `bounds` are the rules low and high come from, told with a refusal beside the question's own.
    """

    __slots__ = ("bounds", "high", "low", "step")
    kind = "number"

    def __init__(
        self, seat: str, name: str, low: float, high: float, *, step: float = 1, bounds: Sequence[str] = (), **more: Any
    ) -> None:
        super().__init__(seat, name, **more)
        self.bounds = tuple(bounds)
        self.low = low
        self.high = high
        self.step = step
        if not (low <= high and step > 0):
            raise ScriptError(f"{name}: no number lies between {low} and {high} in steps of {step}")

    def decode(self, wire: Any) -> Any:
        if isinstance(wire, bool) or not isinstance(wire, int | float):
            raise self.refuse("refuse.not-a-number", answer=shown(wire), least=self.low, most=self.high)
        slack = self.step * 1e-6
        if self.low - slack <= wire <= self.high + slack:
            place = round((wire - self.low) / self.step)
            if place <= self._count() and abs(wire - self._at(place)) <= slack:
                return self._at(place)
        data = {"question": self.name, "answer": shown(wire), "least": self.low, "most": self.high}
        raise Refused(Refusal("refuse.number-out-of-range", self.rule, data, (*self.bounds, *self.also)))

    def encode(self, wire: Any) -> Any:
        return self.decode(wire)

    def _count(self) -> int:
        """How many steps lead from low to high."""
        return int((self.high - self.low) / self.step + 1e-6)

    def _at(self, place: int) -> float:
        return min(self.low + place * self.step, self.high)

    def sample(self, rng: Random) -> Any:
        return self._at(rng.randint(0, self._count()))

    def candidates(self, limit: int = 64) -> list[Any]:
        count = self._count()
        every = max(1, -(-count // max(1, limit - 1)))
        return [self._at(place) for place in dict.fromkeys([*range(0, count + 1, every), count])]

    def forced(self) -> Any:
        return self.low if self._count() == 0 else OPEN

    def wire(self) -> dict[str, Any]:
        return super().wire() | {"low": self.low, "high": self.high, "step": self.step}
