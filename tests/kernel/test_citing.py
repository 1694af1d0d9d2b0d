"""A rule cites by being entered, and can be found by its id."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.kernel.battle import Battle
from grognard.kernel.citing import cites, head
from grognard.kernel.data.carriers import Carrier, carriers
from grognard.kernel.geometry.terrain import Table


@cites
def march(battle: Battle, steps: int) -> int:
    """toy:2.1-march, toy:2.2-steps  So many steps."""
    return 2 * steps


def test_entering_cites() -> None:
    battle = Battle(("red",), Table(100, 100), {})
    assert march(battle, 2) == 4
    assert list(battle.cited) == ["toy:2.1-march", "toy:2.2-steps"]


def test_a_procedure_without_rules_cannot_cite() -> None:
    with pytest.raises(TypeError):

        @cites
        def rest(battle: Battle) -> None:
            """Nothing (toy:2.1-march is elsewhere)."""


def test_the_head_of_a_docstring() -> None:
    assert head("t9a:11.E.b,\n    t9a:11.E.c  The chargers move.") == ("t9a:11.E.b", "t9a:11.E.c")
    assert head("ades:4\nThe turn.") == ("ades:4",)
    assert head("As t9a:11.E.b says.") == ()


def test_where_a_rule_is_carried_out(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "moves.py").write_text(
        '"""toy:2  Moves."""\n\n\ndef march():\n    """toy:2.1-march  By steps of toy:2.2-steps."""\n\n\n'
        'class Swift:\n    name, rule = "Swift", "toy:9-swift"\n\n'
        '    def far(self):\n        """toy:2.3-far  Further."""\n'
    )
    moves = "room/moves.py"
    assert carriers(tmp_path) == {
        "toy:2": [Carrier(moves, 1, "(the module)")],
        "toy:2.1-march": [Carrier(moves, 4, "march")],
        "toy:2.2-steps": [Carrier(moves, 4, "march")],
        "toy:9-swift": [Carrier(moves, 8, "Swift")],
        "toy:2.3-far": [Carrier(moves, 11, "Swift.far")],
    }
