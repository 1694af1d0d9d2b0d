"""Room for several men at once round a truck among rubble: found wherever it is, told where there surely is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from grognard.games import find
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.movement import transports
from grognard.games.wh40k.table.placing import SetUpJudge

SHEETS = yaml.safe_load((Path(__file__).parents[2] / "cases/wh40k/_parts/hulls.yaml").read_text())


def rubble(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Debris everywhere but where the truck stands, at (20, 20)."""
    found = []
    for k in range(int(rng.integers(70, 110))):
        (x, y), (w, h) = rng.uniform(13, 26, 2).tolist(), rng.uniform(0.5, 3, 2).tolist()
        if not (x + w > 18.4 and x < 21.6 and y + h > 17.4 and y < 22.6):
            at, size = [round(x, 2), round(y, 2)], [round(w, 2), round(h, 2)]
            found.append({"id": f"t{k}", "kind": "debris", "at": at, "size": size, "height": 9})
    return found


def getting_out(seed: int) -> tuple[SetUpJudge, Battle]:
    rng = np.random.default_rng(seed)
    terrain = rubble(rng)
    foes = rng.uniform(13, 27, (int(rng.integers(0, 5)), 2)).round(2).tolist()
    men = int(rng.integers(3, 9))
    units: dict[str, Any] = {
        "apc": {"side": "red", "datasheet": "Apc", "at": [20, 20], "facing": 0},
        "men": {"side": "red", "datasheet": "Grunt", "models": men, "transport": "apc", "began_embarked": True},
        "far": {"side": "blue", "datasheet": "Grunt", "models": 1, "at": [50, 40]},
    }
    for n, (x, y) in enumerate(foes):
        if not (16.9 < x < 23.1 and 15.9 < y < 24.1):
            units[f"foe{n}"] = {"side": "blue", "datasheet": "Grunt", "models": 1, "at": [x, y]}
    given = {"phase": "movement", "begun": True, "datasheets": SHEETS, "terrain": terrain, "units": units}
    ruleset = find("wh40k")
    battle = ruleset.from_given(given, ruleset.house_rules_from({}))
    assert isinstance(battle, Battle)
    return transports.judge_near(battle, battle.units["men"], battle.units["apc"], transports.NEAR), battle


@pytest.mark.parametrize("seed", [35, 38, 52, 187])
def test_men_get_out_where_the_nearest_places_do_not_add_up(seed: int) -> None:
    judge, _ = getting_out(seed)
    assert judge.possible() == "tight" and not judge.hopeless()


@pytest.mark.long
def test_where_no_room_is_found_it_is_told_whether_there_is_none() -> None:
    """Of a hundred such yards hardly one stays open."""
    outcomes = [(judge.possible() is not None, judge.hopeless()) for judge, _ in map(getting_out, range(100))]
    assert (True, True) not in outcomes
    assert outcomes.count((True, False)) > 60 and outcomes.count((False, True)) > 5
    assert outcomes.count((False, False)) <= 2
