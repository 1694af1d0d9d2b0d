"""wfb3:19.1-multi-wound, wfb3:19.7-damage  What the shot of a machine does to those it strikes."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.army.machine_table import Hurt
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import casualties
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.machines import shots_at_buildings
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.rolls import steps
from grognard.games.wfb3.rolls.saves import Blow, save
from grognard.games.wfb3.table import flyers, machines
from grognard.kernel.formation.shapes import Outline, Point
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.templates import blast, bodies_under
from grognard.kernel.geometry.units import inches
from grognard.kernel.odds.apart import pool
from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally

#: wfb3:27.6.3-look-out  Units larger than this shelter their characters.
CROWD = 5


class Shell:
    """A shot: whose, how strong, what it does to saves, how many wounds, by which rule."""

    def __init__(
        self, machine: Machine, seat: str, *, strength: int | None = None, modifier: int | None = None,
        wounds: Hurt | None = None, rule: str = "", plus: int = 0,
    ) -> None:  # fmt: skip
        engine = machine.engine
        self.machine, self.seat = machine, seat
        self.strength = engine.strength if strength is None else strength
        self.modifier = engine.modifier if modifier is None else modifier
        self.wounds = engine.wounds if wounds is None else wounds
        self.rule = rule or engine.rule("damage" if engine.kind == "catapult" else "fire")
        self.plus = plus  # wfb3:15.4-cannon


def burst(battle: Battle, shell: Shell, point: Point) -> Script[None]:
    """wfb3:19.7-damage, wfb3:19.3.1-template-machine  A template on the ground: every base it touches is hit."""
    under, engines = beneath(battle, point, inches(shell.machine.engine.radius))
    at = [round(n / inches(1), 2) for n in point]
    battle.tell(
        "machine.bursts", shell.rule, (shell.machine.id, *(m.id for m in under)), at=at, models=len(under),
        strength=shell.strength,
    )  # fmt: skip
    yield from hit_all(battle, shell, under)
    for machine in engines:
        yield from smash(battle, machine, shell)
    yield from shots_at_buildings.roof_hit(battle, shell, point)


def beneath(battle: Battle, point: Point, radius: float) -> tuple[list[Model], list[Machine]]:
    """wfb3:19.7-damage  The models and machines a template on the ground touches."""
    by_body = {
        m.body: m for m in battle.models.values() if m.on_table and not flyers.beyond(battle, battle.units[m.unit])
    }
    under = [by_body[i] for i in bodies_under(blast(point, radius), battle.bodies).tolist() if i in by_body]
    template = Outline((point,), radius)
    return under, [m for m in battle.machines.values() if m.stands and gap(m.outline, template) <= 0.03]


def smash(battle: Battle, machine: Machine, shell: Shell) -> Script[None]:
    """wfb3:19.3.1-template-machine  A machine under a template is destroyed by a 6, by a 5 too where powder burns."""
    if not machine.stands:
        return
    need = 5 if shell.machine.engine.powder else 6
    rule = "wfb3:19.3.1-template-machine"
    (face,) = yield Roll(
        shell.seat, "machine.smash", 6, rule=rule, about=(shell.machine.id, machine.id), need=need, sense="high"
    )
    if face >= need:
        machines.destroy(battle, machine, rule, (shell.machine.id,))


def hit_all(battle: Battle, shell: Shell, struck: Sequence[Model]) -> Script[None]:
    """wfb3:14.6.2-templates  One hit on each of these models, unit by unit; characters for themselves."""
    for key in dict.fromkeys(m.unit for m in struck):
        unit = battle.units[key]
        models = [m for m in struck if m.unit == key]
        before = battle.size(unit)
        if unit.kind in ("monster", "chariot"):
            yield from _beasts(battle, shell, unit, models)
            casualties.shot_down(battle, unit, before)
            continue
        plain = [m for m in models if m.role != "character"]
        for model in [m for m in models if m.role == "character"]:
            battle.cite("wfb3:14.6.2-templates")
            victim = yield from look_out(battle, shell, unit, model, models)
            if victim is model:
                yield from hit_model(battle, shell, unit, model)
            elif victim is not None:
                plain.append(victim)
        if plain and unit.where == "table":
            yield from hit_troops(battle, shell, unit, len(plain))
        casualties.shot_down(battle, unit, before)


def _beasts(battle: Battle, shell: Shell, unit: Unit, models: Sequence[Model]) -> Script[None]:
    """wfb3:20.7-shooting-at, wfb3:18.1-shooting
    Hits on chariots are noted for the end of the phase, on monsters taken.

    Ruling: a machine's shot strikes the beast, not those on its back.
    """
    for model in models:
        if model.ride.aboard or not model.alive:
            continue
        if unit.kind == "chariot":
            model.ride = model.ride.but(struck=model.ride.struck + 1)
            battle.cite("wfb3:20.7-shooting-at")
        else:
            yield from hit_model(battle, shell, unit, model)


def look_out(battle: Battle, shell: Shell, unit: Unit, model: Model, struck: Sequence[Model]) -> Script[Model | None]:
    """wfb3:27.6.3-look-out  Optional: a character among more than five may be pushed aside; who is struck instead."""
    if not battle.house["look_out"] or unit.kind == "character" or battle.size(unit) <= CROWD:
        return model
    rule = "wfb3:27.6.3-look-out"
    (face,) = yield Roll(unit.seat, "machine.look-out", 6, rule=rule, about=(model.id, shell.machine.id), cuts=(3, 5))
    answer: Model | None = model
    if face >= 5:
        answer = None
    elif face >= 3:
        hit = {m.id for m in struck}
        places = dict(zip(unit.models, battle.block_of(unit).places, strict=True))
        own = places[model.id].outline
        near = [m for m in battle.ordinary(unit) if m.id not in hit and gap(places[m.id].outline, own) <= 0.6]
        answer = near[0] if near else model
    what = "avoids" if answer is None else "struck" if answer is model else "instead"
    battle.tell("look-out", rule, (model.id,), result=what)
    return answer


def hit_troops(battle: Battle, shell: Shell, unit: Unit, hits: int) -> Script[int]:
    """wfb3:19.1-multi-wound  Hits on ordinary models, one each: to wound, one save, then the wounds listed."""
    through = yield from _through(battle, shell, unit, None, hits)
    if not through:
        return 0
    total = yield from _suffered(battle, shell, unit.id, unit.profile.W, through)
    if not battle.ordinary(unit):
        alone = battle.members(unit)[0]
        return (yield from casualties.wound_model(battle, alone, total, shell.rule))
    return (yield from casualties.hurt(battle, unit, total, "wfb3:6.6-casualties"))


def hit_model(battle: Battle, shell: Shell, unit: Unit, model: Model) -> Script[int]:
    """A hit on one model that counts for itself."""
    through = yield from _through(battle, shell, unit, model, 1)
    if not through:
        return 0
    total = yield from _suffered(battle, shell, model.id, model.w, 1)
    return (yield from casualties.wound_model(battle, model, total, shell.rule))


def _through(battle: Battle, shell: Shell, unit: Unit, model: Model | None, hits: int) -> Script[int]:
    """wfb3:6.3-wound-table, wfb3:6.4-saves  How many of so many hits wound and are not saved."""
    toughness = (model or unit).profile.T
    need = Tally(steps.wound_need(shell.strength, toughness), f"S{shell.strength}", "wfb3:6.3-wound-table")
    needed = save(battle, unit, model, Blow(shell.modifier, shell.machine.engine.rule("table"), False, False))
    about = (shell.machine.id, model.id if model is not None else unit.id)
    attacks = steps.Attacks(shell.seat, unit.seat, None, need, needed, (shell.rule, "wfb3:6.4-saves"), about)
    return (yield from steps.attack(attacks, hits)).hurt


def _suffered(battle: Battle, shell: Shell, who: str, most: int, count: int) -> Script[int]:
    """wfb3:19.1-multi-wound, wfb3:15.4-cannon  Wounds of so many models; what is beyond a model's own is lost.

    Ruling: where the least the dice can show is enough they are not rolled.
    """
    battle.cite("wfb3:19.1-multi-wound", "wfb3:19.1-profile")
    hurt = shell.wounds
    if shell.plus:
        battle.cite("wfb3:15.4-cannon")
    if hurt.least + shell.plus >= most or not hurt.dice:
        return count * min(most, hurt.plus + hurt.dice + shell.plus)

    def step(number: int) -> Script[int]:
        total = 0
        for _ in range(number):
            faces = yield Roll(
                shell.seat, "machine.wounds", hurt.sides, hurt.dice, rule="wfb3:19.1-multi-wound",
                about=(shell.machine.id, who), sense="value",
            )  # fmt: skip
            total += min(most, sum(faces) + hurt.plus + shell.plus)
        return total

    return (yield from pool(("suffered", hurt, shell.plus, most), step, count, int, int))
