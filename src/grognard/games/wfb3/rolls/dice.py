"""wfb3:1.3-dice, wfb3:1.3-scatter-die  Dice other than the ordinary one: random directions."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.kernel.odds.apart import until
from grognard.kernel.questions import Roll, Script


def d3(seat: str, name: str, rule: str, about: Sequence[str] = ()) -> Script[int]:
    """wfb3:1.3-dice  A D3: half a D6, rounded up."""
    (face,) = yield Roll(seat, name, 6, rule=rule, about=about, sense="value", cuts=(3, 5))
    return (int(face) + 1) // 2


def clock(battle: Battle, seat: str, name: str, rule: str, about: Sequence[str] = ()) -> Script[float]:
    """wfb3:1.3-dice, wfb3:1.3-scatter-die  A direction as an hour of the clock: a D12, or the arrow of a scatter die.

    Ruling: the arrow points anywhere, to the degree.
    """
    if battle.house["scatter_die"]:
        battle.cite("wfb3:1.3-scatter-die")
        (degrees,) = yield Roll(seat, name, 360, rule=rule, about=about)
        return float(degrees) / 30.0
    battle.cite("wfb3:1.3-dice")
    (hour,) = yield Roll(seat, name, 12, rule=rule, about=about)
    return float(hour)


def roll_off(
    battle: Battle, seats: tuple[str, ...], name: str, rule: str, about: tuple[str, ...] = ()
) -> Script[list[str]]:
    """Both roll until one is higher; the higher first. In a brawl among friends one player rolls for both units."""

    def once() -> Script[tuple[str, ...] | None]:
        found = {}
        for seat in seats:
            player = battle.units[seat].seat if seat in battle.units else seat
            (found[seat],) = yield Roll(player, name, 6, rule=rule, about=about)
        return tuple(sorted(seats, key=lambda seat: -found[seat])) if len(set(found.values())) == len(seats) else None

    return list((yield from until(("roll-off", name, seats), once)))
