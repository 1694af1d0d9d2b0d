"""What the table offers beside the questions: reach, who sees whom and how well, the odds of a shot."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.ades import damage, shooting, sight, steps
from grognard.games.ades.battle import Battle
from grognard.games.ades.damage import Source
from grognard.games.ades.forces import Fighter
from grognard.games.ades.moves import MoveJudge
from grognard.games.ades.odds_steps import chooser
from grognard.games.ades.shooting import Gun
from grognard.kernel import around
from grognard.kernel.around import Around
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.geometry.units import cm
from grognard.kernel.odds import Odds, OddsStep
from grognard.kernel.questions import Place, Question
from grognard.kernel.scene import Scene
from grognard.kernel.tally import Tally
from grognard.kernel.tools import Reach, Seen, Tools
from grognard.kernel.weigh import Distribution, Weigher, bind

#: ades:1.1.14-target  A view that is neither clear nor none.
PARTIAL = "partial"


class AdesTools(Tools):
    """L'Âge des Escarmouches at the table."""

    def reach(self, battle: KernelBattle, scene: Scene, question: Place, mover: str) -> Reach | None:
        """ades:1.1.16  How far the fighter may go on the level it is on."""
        judge = question.judge
        if not isinstance(judge, MoveJudge) or mover != judge.mover.id:
            return None
        return Reach(mover, round(max(0.0, judge.way.budget(judge.battle.pose(judge.mover).level)), 3))

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
        """ades:1.1.14-arc, 4.2.5.2-difficulty  What lies before a fighter, and its arms at one to three ranges."""
        assert isinstance(battle, Battle)
        fighters = [battle.fighters[key] for key in models if key in battle.fighters and battle.fighters[key].on_table]
        found = [around.half(battle.table, battle.pose(fighter)) for fighter in fighters[:1]]
        shapes = [around.base_shape(battle.base(fighter), battle.pose(fighter)) for fighter in fighters]
        for weapon in fighters[0].profile.weapons if fighters else ():
            for times in (1, 2, 3):
                found.append(around.reach(battle.table, weapon.name, shapes, cm(weapon.range * times)))
        return found

    def odds(self, battle: KernelBattle, question: Question, option: str) -> Odds | None:
        """ades:4.2.5.2-procedure  One shot at the fighter under the pointer, by the first who shoots."""
        assert isinstance(battle, Battle)
        shooter = battle.fighters.get(question.about[0]) if question.about else None
        target = battle.fighters.get(option)
        if question.name != "shot.target" or shooter is None or target is None:
            return None
        weapons = shooting.small_arms(shooter)
        return _shot(battle, Gun(shooter, weapons[0]), target) if weapons else None


def _shot(battle: Battle, gun: Gun, target: Fighter) -> Odds:
    """ades:4.2.5.2-procedure, 1.1.6  The test to hit, and the life points a hit takes."""
    seat = gun.shooter.seat
    test = shooting.to_hit(battle, gun, target, sight.view(battle, gun.shooter, target, shooting=True))
    aim = Weigher(chooser(striker=seat))
    hits: Distribution[bool] = aim.run(lambda: steps.attempt(test)).map(lambda done: done.passed)
    force = Tally(gun.weapon.force, gun.weapon.name, "ades:13.1-arme-de-tir")
    blow = damage.prepare(battle, target, force, Source(shot=True, attack=True), shooting.SHOT, gun.shooter)
    harm = Weigher(chooser(blow, seat))
    hurt: Distribution[str] = harm.run(lambda: steps.damage(blow)).map(lambda done: f"lost {done.lost}")
    spread: Distribution[str] = bind(hits, lambda hit: hurt if hit else Distribution.certain("missed"))
    chance = hits.chance(lambda hit: hit)
    why = (OddsStep("the shot hits", chance, "ades:4.2.5.2-procedure"),)
    return Odds.of("shot", spread, touched=(*aim.touched, *harm.touched), steps=why)
