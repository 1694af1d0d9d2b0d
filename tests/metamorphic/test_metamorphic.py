"""Cases hold when their table is mirrored and turned (trial.py says when one need not): a sample, and all of them."""

from __future__ import annotations

from hashlib import sha256

import pytest

from grognard.check import Case, find_files, read_file
from grognard.games import EVERY
from grognard.games.nemesis.table import cohesion
from grognard.kernel.match.match import Match
from tests.metamorphic.counts import Count, count
from tests.metamorphic.known import CASES, cases, known
from tests.metamorphic.trial import TRIALS, Verdict, half, mirror, quarter, turned
from tests.metamorphic.window import through

#: Of so many files one gives a case to the sample.
EVERY_SO_MANY = 2
#: The least share of all cases that must hold, so that excuses do not spread unnoticed.
LEAST = {"mirrored": 0.97, "quartered": 0.96, "turned": 0.9}


def by_lot(name: str) -> str:
    return sha256(name.encode()).hexdigest()


def sample(game: str) -> list[Case]:
    """A case by lot from some files of every chapter."""
    files = find_files([CASES / game])[::EVERY_SO_MANY]
    return [min(read_file(path).cases, key=lambda case: by_lot(case.id)) for path in files]


def sound(found: Count) -> None:
    print(found)
    assert not found.failing and not found.mended, f"\n{found}"


@pytest.mark.parametrize("game", list(EVERY))
def test_a_sample_holds_in_every_frame(game: str) -> None:
    chosen = sample(game)
    for trial in TRIALS:
        sound(count(game, trial, chosen))


@pytest.mark.long
@pytest.mark.parametrize("trial", list(TRIALS))
@pytest.mark.parametrize("game", list(EVERY))
def test_every_case_holds_in_every_frame(game: str, trial: str) -> None:
    found = count(game, trial, cases(game))
    sound(found)
    assert found.holds >= LEAST[trial] * found.all


def test_what_is_known_to_fail_exists_and_says_why() -> None:
    written = "\n".join(path.read_text(encoding="utf-8") for path in find_files([CASES]))
    assert [name for _, name in known() if f"id: {name}\n" not in written] == []
    assert all(trial in TRIALS and len(reason) > 20 for (trial, _), reason in known().items())


# ---------------------------------------------------------------------- a trial can fail


def named(game: str, name: str) -> Case:
    return next(case for case in cases(game) if case.id == name)


def test_a_distance_without_slack_does_not_hold_when_turned(monkeypatch: pytest.MonkeyPatch) -> None:
    case = named("nemesis", "nemesis-6-cohesion-bound")
    assert TRIALS["turned"](EVERY["nemesis"], case).verdict is Verdict.HOLDS
    monkeypatch.setattr(cohesion, "LINKED", cohesion.LINK + 1e-6)
    assert TRIALS["turned"](EVERY["nemesis"], case).verdict is Verdict.FAILS


@pytest.mark.parametrize("plan", [half, quarter, mirror, turned])
def test_a_window_shows_the_battle_where_the_author_put_it(plan: object) -> None:
    """Elsewhere in the battle itself, where it was written in what is shown."""
    case = named("wh40k", "wh40k-4.5-normal-move")
    setup = {"given": case.text.given}
    window = through(EVERY["wh40k"], plan)  # type: ignore[arg-type]
    plain, other = Match(EVERY["wh40k"], setup).battle, Match(window, setup).battle
    unit = next(iter(plain.units.values()))  # type: ignore[attr-defined]
    who = unit.models[0]
    stands = [battle.pose(battle.models[who]) for battle in (plain, other)]  # type: ignore[attr-defined]
    assert abs(stands[0].x - stands[1].x) + abs(stands[0].y - stands[1].y) > 1.0
    shown = [ruleset.state(battle, who)["at"] for ruleset, battle in ((EVERY["wh40k"], plain), (window, other))]
    assert shown[1] == pytest.approx(shown[0], abs=0.001)
