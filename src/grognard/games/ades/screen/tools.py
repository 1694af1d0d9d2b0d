"""What the table offers beside the questions: reach, who sees whom and how well, the odds of a choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.games.ades.abilities import STATS
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Combat, Fighter
from grognard.games.ades.movement.moves import MoveJudge
from grognard.games.ades.rolls import stats
from grognard.games.ades.screen import carrying, choice_odds
from grognard.games.ades.shooting import shot_numbers
from grognard.games.ades.shooting.shot_numbers import Gun
from grognard.games.ades.table import sight
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.geometry.units import MM_PER_CM, cm
from grognard.kernel.odds.odds import Odds
from grognard.kernel.questions import Pick, Place, Question
from grognard.kernel.screen import around
from grognard.kernel.screen.around import Around
from grognard.kernel.screen.scene import Scene
from grognard.kernel.screen.tools import Point, Reach, Seen, Tools, allowed
from grognard.kernel.words.tally import Tally

#: ades:1.1.14-target  A view that is neither clear nor none.
PARTIAL = "partial"
#: ades:4.2.2-actions  Whoever has chosen an action is not asked whether he always gives it up.
OWN = (
    "assault.target", "assault.way", "breath.", "cast.formula", "cast.target", "machine.", "move", "nexus", "power.",
    "shot.target", "token.", "trap.", "disembark", "fight.attack", "harass.",
)  # fmt: skip


class AdesTools(Tools):
    """L'Âge des Escarmouches at the table."""

    own = OWN

    def body(
        self, battle: KernelBattle, scene: Scene, question: Place, mover: str, to: Point, facing: float | None, *,
        level: int | None = None, files: int | None = None,
    ) -> Any:  # fmt: skip
        """ades:4.2.3, ades:4.2.4.2-charge
        A fighter goes where it is pulled, an assailant into contact on that side."""
        judge = question.judge
        if isinstance(judge, MoveJudge) and mover == judge.mover.id:
            return carrying.carried(judge, to, facing, level)
        return super().body(battle, scene, question, mover, to, facing, level=level, files=files)

    def carried_on(
        self, battle: KernelBattle, scene: Scene, question: Place, kept: Any, mover: str, to: Point,
        facing: float | None, level: int | None, files: int | None = None,
    ) -> Any:  # fmt: skip
        """A fighter that moves alone sets out from where it stands, whatever was tried before."""
        if isinstance(question.judge, MoveJudge):
            return self.body(battle, scene, question, mover, to, facing, level=level)
        return super().carried_on(battle, scene, question, kept, mover, to, facing, level, files)

    def levels(self, question: Place) -> tuple[int, ...]:
        """ades:7.2, ades:7.3  The levels a flyer may end its move on; an assault ends on its target's."""
        judge = question.judge
        if not isinstance(judge, MoveJudge) or judge.way.contact or judge.way.any_foe:
            return ()
        found = sorted(level for level, reach in judge.way.budgets if reach > 0)
        return tuple(found) if len(found) > 1 else ()

    def reach(self, battle: KernelBattle, scene: Scene, question: Place, mover: str) -> Reach | None:
        """ades:1.1.16, ades:7.3  How far the fighter may go, on each level; an assault ends on that of its target."""
        judge = question.judge
        if not isinstance(judge, MoveJudge) or mover != judge.mover.id:
            return None
        here = judge.battle.pose(judge.mover).level
        contact = judge.way.contact
        level = judge.battle.pose(judge.battle.fighters[contact[0]]).level if contact else here
        left = max(0.0, judge.way.budget(level))
        speed = stats.stat(judge.battle, judge.mover, "MOU")
        why = allowed(speed, left / MM_PER_CM, question.rule if level == here else "ades:7.3")
        by_level = {each: round(max(0.0, judge.way.budget(each)), 3) for each in self.levels(question)}
        return Reach(mover, round(left, 3), why=why, levels=by_level)

    def sight(self, battle: KernelBattle, viewers: Sequence[str]) -> list[Seen] | None:
        """ades:1.1.14-target  Which enemies they see; in cover where every one of them sees only a part."""
        assert isinstance(battle, Battle)
        eyes = [battle.fighters[key] for key in viewers if key in battle.fighters and battle.fighters[key].on_table]
        found: list[Seen] = []
        for target in battle.on_table():
            views = [(eye, sight.view(battle, eye, target)) for eye in eyes if eye.seat != target.seat]
            seeing = [(eye, view) for eye, view in views if view.seen]
            if seeing:
                cover = all(view.degree == PARTIAL for _, view in seeing)
                found.append(Seen(target.id, cover, tuple(eye.id for eye, _ in seeing)))
        return found

    def around(self, battle: KernelBattle, unit: str, models: Sequence[str]) -> list[Around]:
        """ades:1.1.14-arc, ades:4.2.5.2-difficulty  What lies before a fighter, and its arms at one to three ranges."""
        assert isinstance(battle, Battle)
        fighters = [battle.fighters[key] for key in models if key in battle.fighters and battle.fighters[key].on_table]
        found = [around.half(battle.table, battle.pose(fighter)) for fighter in fighters[:1]]
        shapes = [around.base_shape(battle.base(fighter), battle.pose(fighter)) for fighter in fighters]
        for weapon in fighters[0].profile.weapons if fighters else ():
            for times in (1, 2, 3):
                found.append(around.reach(battle.table, weapon.name, shapes, cm(weapon.range * times)))
        return found

    def numbers(self, battle: KernelBattle, model: str) -> dict[str, Tally]:
        """ades:1.1.2.2  The card's characteristics with all that changes them."""
        assert isinstance(battle, Battle)
        fighter = battle.fighters.get(model)
        names = [name for name in STATS if fighter is not None and stats.has_stat(battle, fighter, name)]
        return {f"stat.{name}": stats.stat(battle, battle.fighters[model], name) for name in names}

    def odds(self, battle: KernelBattle, question: Question, option: str) -> Odds | None:
        """The shot, assault, formula, counter or combat an option would set off."""
        assert isinstance(battle, Battle)
        if not isinstance(question, Pick) or option not in question.keys:
            return None
        battle = battle.copy()
        chosen = next((each.value for each in question.options if each.key == option), None)
        if isinstance(chosen, Combat):
            return choice_odds.combat(battle, chosen)
        actor = battle.fighters.get(question.about[0]) if question.about else None
        return None if actor is None else _acted(battle, question, actor, option)


def _acted(battle: Battle, question: Pick, actor: Fighter, option: str) -> Odds | None:
    """ades:4.2.5.2-procedure, ades:8.4-casting, ades:8.6-test
    What a fighter is about to do; of a group of shooters the
    first.
    """
    target = battle.fighters.get(option)
    if question.name in ("shot.target", "shot.second"):
        weapon = next((w for w in shot_numbers.small_arms(actor) if w.name == question.data.get("weapon")), None)
        mark = target or battle.things.get(option)
        if weapon is None or mark is None:
            return None
        return choice_odds.shot(battle, Gun(actor, weapon, aim=question.data.get("aim", "")), mark)
    if question.name == "assault.target" and target is not None:
        group = [battle.fighters[key] for key in question.about]
        return choice_odds.assault(battle, group, target, str(question.data["kind"]).removeprefix("move."))
    if question.name == "cast.formula":
        return choice_odds.formula(battle, actor, choice_odds.level_of(actor, battle.library.powers[option]), None)
    if question.name == "cast.target":
        return choice_odds.formula(battle, actor, question.data["level"], target)
    if question.name == "counter.who" and target is not None:
        return choice_odds.counter(battle, target, actor)
    return None
