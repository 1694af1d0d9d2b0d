"""A scene of whatever a view shows, for games that have not written theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grognard.kernel.data.typed import convert
from grognard.kernel.geometry.base import round_base
from grognard.kernel.screen.scene import Board, Figure, Foot, Ground, Player, Scene, Stand, Token, Troop, clock, foot


def from_view(
    view: Mapping[str, Any], names: Mapping[str, str], seats: Sequence[str], *, unit: str, unit_mm: float,
    phases: Sequence[str] = (), table: tuple[float, float] = (0.0, 0.0),
) -> Scene:  # fmt: skip
    """What the keys of `Ruleset.view` tell a screen: table, terrain, models, units, markers, turn and phase."""
    board = view.get("table") or {"width": table[0], "height": table[1]}
    models = view.get("models") or {}
    members: dict[str, list[str]] = {}
    for model_id, model in models.items():
        members.setdefault(str(model.get("unit", model_id)), []).append(model_id)
    units = view.get("units") or {name: {"models": found} for name, found in members.items()}
    owners = {str(m.get("unit", key)): str(m.get("side", "")) for key, m in models.items()}
    return Scene(
        Board(float(board["width"]), float(board["height"]), unit, unit_mm),
        clock(int(view.get("turn") or 0), str(view.get("phase") or ""), phases, view.get("acting")),
        tuple(Player(seat, names.get(seat, seat), place) for place, seat in enumerate(seats)),
        tuple(_ground(piece, names) for piece in view.get("terrain") or ()),
        tuple(_figure(key, model, names) for key, model in models.items()),
        tuple(
            Troop(key, names.get(key, key), str(u.get("side") or owners.get(key, "")), tuple(u.get("models") or ()))
            for key, u in units.items()
        ),
        tokens=tuple(_token(marker, names) for marker in view.get("markers") or () if not marker.get("destroyed")),
    )


def _ground(piece: Mapping[str, Any], names: Mapping[str, str]) -> Ground:
    points = tuple((float(x), float(y)) for x, y in piece["points"])
    name = names.get(piece["id"], piece["id"])
    return Ground(
        piece["id"], piece["kind"], name, points, float(piece.get("height") or 0), (), piece.get("sight", "open"),
        str(piece.get("class") or ""), tuple(piece.get("traits") or ()),
    )  # fmt: skip


def _figure(key: str, model: Mapping[str, Any], names: Mapping[str, str]) -> Figure:
    pose, base = model.get("pose"), model.get("base") or 0.0
    shape = convert(base, Foot) if isinstance(base, Mapping) else foot(round_base(float(base)))
    where = None if pose is None else Stand(pose["x"], pose["y"], pose.get("facing", 0.0), pose.get("level", 0))
    return Figure(key, names.get(key, key), str(model["side"]), str(model.get("unit", key)), "", where, shape)


def _token(marker: Mapping[str, Any], names: Mapping[str, str]) -> Token:
    key = str(marker["id"])
    return Token(
        key, str(marker.get("kind", "marker")), names.get(key, key), float(marker["x"]), float(marker["y"]),
        float(marker.get("radius") or 0.0), marker.get("owner"), marker.get("bearer"),
    )  # fmt: skip
