"""What of a view can be drawn: the table, its terrain, models and markers. Any game's view will do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

Point = tuple[float, float]
#: A different alphabet for every seat, so that a map without colours can be read too.
ALPHABETS = ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "ΓΔΘΛΞΠΣΦΨΩ", "βγδεζηθλμξπρφχψω")
#: Colours people with any colour vision tell apart, on dark and light ground.
SEAT_STYLES = ("bold dark_orange", "bold dodger_blue1", "bold green3", "bold magenta")


class Token(NamedTuple):
    """A model on the table."""

    id: str
    seat: str
    unit: str
    x: float
    y: float


class Ground(NamedTuple):
    """A piece of terrain."""

    id: str
    kind: str
    sight: str
    points: tuple[Point, ...]


class Scene(NamedTuple):
    """Everything a map shows, in millimetres."""

    width: float
    height: float
    tokens: tuple[Token, ...]
    ground: tuple[Ground, ...]
    markers: tuple[tuple[str, float, float], ...]

    def token(self, token_id: str) -> Token | None:
        return next((token for token in self.tokens if token.id == token_id), None)


def scene_of(view: Mapping[str, Any]) -> Scene | None:
    """The scene of a view (see Ruleset.view); None where a view has no table to draw."""
    table = view.get("table")
    if not isinstance(table, Mapping) or not table.get("width") or not table.get("height"):
        return None
    ground = [
        Ground(str(p["id"]), str(p["kind"]), str(p["sight"]), _points(p["points"])) for p in view.get("terrain", ())
    ]
    tokens = [
        Token(name, str(m["side"]), str(m["unit"]), float(m["pose"]["x"]), float(m["pose"]["y"]))
        for name, m in view.get("models", {}).items()
        if m["pose"] is not None
    ]
    markers = [(str(m["id"]), float(m["x"]), float(m["y"])) for m in view.get("markers", ()) if not m.get("destroyed")]
    return Scene(float(table["width"]), float(table["height"]), tuple(tokens), tuple(ground), tuple(markers))


def _points(points: Iterable[Any]) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in points)


class Letters:
    """A letter for every unit, kept for the whole match."""

    def __init__(self, seats: Iterable[str]) -> None:
        self.seats = tuple(seats)
        self._letters: dict[str, str] = {}
        self._given: dict[str, int] = {}

    def of(self, token: Token) -> str:
        """The letter of a model's unit."""
        if token.unit not in self._letters:
            place = self.seats.index(token.seat) if token.seat in self.seats else 0
            alphabet = ALPHABETS[place % len(ALPHABETS)]
            number = self._given.get(token.seat, 0)
            self._given[token.seat] = number + 1
            self._letters[token.unit] = alphabet[number] if number < len(alphabet) else "*"
        return self._letters[token.unit]

    def style(self, seat: str) -> str:
        """The colour of a seat."""
        place = self.seats.index(seat) if seat in self.seats else 0
        return SEAT_STYLES[place % len(SEAT_STYLES)]
