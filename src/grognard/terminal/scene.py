"""What a map in letters draws of a scene: the table, its terrain, models and markers. Any game's will do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from grognard.kernel.screen import scene as draw

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


def scene_of(scene: draw.Scene) -> Scene | None:
    """What a map in letters shows of the scene every screen gets; None where there is nothing to draw."""
    tokens = [Token(m.id, m.side, m.unit, m.pose.x, m.pose.y) for m in scene.models if m.pose is not None]
    ground = [Ground(piece.id, piece.kind, piece.sight, piece.points) for piece in scene.terrain]
    markers = [(token.id, token.x, token.y) for token in scene.tokens]
    if not (scene.models or ground or markers):
        return None
    return Scene(scene.table.width, scene.table.height, tuple(tokens), tuple(ground), tuple(markers))


class Letters:
    """A letter for every unit, kept for the whole match."""

    def __init__(self, seats: Iterable[str]) -> None:
        self.seats = tuple(seats)
        self._letters: dict[str, str] = {}
        self._given: dict[str, int] = {}

    def of(self, token: Token) -> str:
        """The letter of a model's unit."""
        if token.unit not in self._letters:
            alphabet = ALPHABETS[self._place(token.seat) % len(ALPHABETS)]
            number = self._given.get(token.seat, 0)
            self._given[token.seat] = number + 1
            self._letters[token.unit] = alphabet[number] if number < len(alphabet) else "*"
        return self._letters[token.unit]

    def style(self, seat: str) -> str:
        """The colour of a seat."""
        return SEAT_STYLES[self._place(seat) % len(SEAT_STYLES)]

    def _place(self, seat: str) -> int:
        """Models of nobody's come after those of the seats."""
        return self.seats.index(seat) if seat in self.seats else len(self.seats)
