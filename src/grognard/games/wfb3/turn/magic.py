"""wfb3:4-phases  The magic phase: wizards of the active side cast what they know while their magic points last.

The spells are ours, see spells.py; a wizard may cast as many as he has points for, each on a
target at most once a turn.
"""

from __future__ import annotations

from grognard.games.wfb3.army.spells import MISSILES, RULE, SPELLS, Spell
from grognard.games.wfb3.army.weapons import Missile
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.chariots import chariot_damage, chariots
from grognard.games.wfb3.fire import fire_magic, fires
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.psychology import panic
from grognard.games.wfb3.rolls import dice, notes, spells_in_effect, tests
from grognard.games.wfb3.rolls import stats as values
from grognard.games.wfb3.rout import rout
from grognard.games.wfb3.shooting import aiming, missiles, targeting
from grognard.games.wfb3.table import flyers, sight
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Place
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Roll, Script
from grognard.kernel.words.tally import Tally

PHASE = "wfb3:4-phases"


def phase(battle: Battle) -> Script[None]:
    """One spell after another, by any wizard who can."""
    while True:
        options, barred = choices(battle)
        if not options and not barred:
            return
        chosen = yield Pick(
            battle.active, "magic.cast", options, optional=True, barred=barred, rule=PHASE, checkpoint=True
        )
        if chosen is None:
            return
        wizard, spell = chosen
        yield from cast(battle, wizard, spell)


def wizards(battle: Battle) -> list[Model]:
    mine = [m for m in battle.models.values() if m.hero.wizard and m.alive and m.seat == battle.active]
    return [m for m in mine if battle.units[m.unit].where == "table" and (m.on_table or m.ride.aboard)]


def stand(battle: Battle, wizard: Model) -> Place:
    """Where a wizard stands, or what he rides in."""
    host = battle.units[wizard.unit]
    return battle.block_of(host).places[host.models.index(wizard.ride.aboard or wizard.id)]


def choices(battle: Battle) -> tuple[list[Option], dict[str, Refusal]]:
    """Every spell of every wizard, and why some cannot be cast."""
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for wizard in wizards(battle):
        for name in wizard.hero.spells:
            spell = SPELLS[name]
            key = f"{wizard.id}:{name}"
            why = refusal(battle, wizard, spell)
            if why is None:
                facts = {"spell": name, "cost": spell.cost}
                options.append(Option(key, (wizard, spell), "option.magic", (wizard.id,), facts, notes.spell(spell)))
            else:
                barred[key] = why
    return options, barred


def refusal(battle: Battle, wizard: Model, spell: Spell) -> Refusal | None:
    """Why a wizard cannot cast a spell now."""
    facts = {"model": wizard.id, "spell": spell.name}
    unit = battle.units[wizard.unit]
    if unit.rout.routed or unit.minds.stupid:
        return Refusal("refuse.magic.state", "wfb3:8.4-state", facts)
    if wizard.hero.magic < spell.cost:
        return Refusal("refuse.magic.points", RULE, facts)
    if not targets(battle, wizard, spell):
        return Refusal("refuse.magic.targets", RULE, facts)
    return None


def targets(battle: Battle, wizard: Model, spell: Spell) -> list[Unit]:
    """Units a spell may be cast on: on the right side, in reach, in sight where it must be seen.

    wfb3:6.2.4-near-unit, 15.2-disguise  Magic missiles fly like others; nobody disguised can be picked out.
    """
    if spell.kind == "fire":
        return fire_magic.targets(battle, wizard, spell.name, spell.reach)
    host = battle.units[wizard.unit]
    place = stand(battle, wizard)
    found = []
    for unit in battle.here():
        mine = unit.seat == wizard.seat
        if (spell.on == "enemy" and mine) or (spell.on == "friend" and not mine) or unit.kind == "altar":
            continue
        far = gap(place.outline, battle.block_of(unit).outline)
        if far + (flyers.added(battle, host, unit) if spell.sight else 0.0) > inches(spell.reach) + EPS:
            continue
        if spell.name == "unbind" and not unit.spells:
            continue
        if spell.name == "mend flesh" and not wounded(battle, unit):
            continue
        if any(name == spell.name and until >= battle.clock for name, _, until in unit.spells):
            continue
        if spell.sight:
            if battle.engaged(unit) or not sight.visible(battle, host, unit):
                continue
            if missiles.past_a_unit(battle, host, unit):
                continue
            if targeting.personage(battle, unit) and targeting.exposure(battle, unit) == "none":
                continue
        found.append(unit)
    return found


def wounded(battle: Battle, unit: Unit) -> Model | None:
    return next((m for m in battle.characters(unit) if m.w < m.profile.W), None)


def cast(battle: Battle, wizard: Model, spell: Spell) -> Script[None]:
    """The points are spent, the target resists if it can, and the spell takes effect."""
    options = [Option(u.id, u, about=(u.id,)) for u in targets(battle, wizard, spell)]
    target = yield Pick(
        wizard.seat, "magic.target", options, rule=RULE, about=(wizard.id,), data={"spell": spell.name},
        notes=notes.spell(spell),
    )  # fmt: skip
    wizard.hero = wizard.hero.but(magic=wizard.hero.magic - spell.cost)
    battle.tell(
        "spell.cast", RULE, (wizard.id, target.id), spell=spell.name, cost=spell.cost, left=wizard.hero.magic,
    )  # fmt: skip
    if spell.resisted:
        value = values.mental(battle, target, "WP", "magic")
        if (yield from tests.against(battle, target, value, "test.magic", "wfb3:3-profile", (wizard.id,))):
            battle.tell("spell.resisted", RULE, (target.id, wizard.id), spell=spell.name)
            return
    yield from EFFECTS[spell.name](battle, wizard, target)


def _hurl(
    battle: Battle, wizard: Model, target: Unit, hits: Script[int], weapon: Missile, strength: int, modifier: int
) -> Script[None]:
    """wfb3:6.3-wound-table, wfb3:8.1-shooting, wfb3:18.1-shooting, wfb3:23.2-effects
    Hits of a spell do what missiles do.

    Beasts and their crews share them, fire frightens and lights what burns.
    Ruling: what a spell did to chariots is rolled for when it has struck, and so are the rout tests for its losses.
    """
    host, before = battle.units[wizard.unit], battle.size(target)
    yield from chariots.announce(battle, host, target)
    number = yield from hits
    behind = aiming.rear(battle, stand(battle, wizard), target)
    made = aiming.Shot(0, strength, modifier, behind, Tally(0, weapon.name, RULE))
    shares, wounds = (yield from missiles.spread(battle, host, target, number)), 0
    for struck, some in shares:
        wounds += yield from missiles.strike(battle, host, struck, weapon, made, some)
    yield from chariot_damage.settle_hits(battle, target, missiles=True)
    dead = max(0, before - battle.size(target))
    battle.tell("spell.struck", RULE, (wizard.id, target.id), hits=number, wounds=wounds, dead=dead)
    for struck, _ in shares:
        if struck.where == "table":
            yield from rout.missile_test(battle, struck, (host.id,))
    if weapon.fire:
        battle.cite("wfb3:23.1.3-other-fire")
        yield from fires.attacked(battle, host, target, wounds)


def _some(battle: Battle, wizard: Model, target: Unit, sides: int) -> Script[int]:
    """How many hits a spell makes: a D3 or a D6."""
    if sides == 3:
        return (yield from dice.d3(wizard.seat, "magic.hits", RULE, (wizard.id, target.id)))
    (face,) = yield Roll(wizard.seat, "magic.hits", sides, rule=RULE, about=(wizard.id, target.id))
    return int(face)


def _fire_ball(battle: Battle, wizard: Model, target: Unit) -> Script[None]:
    """wfb3:23.1.3-other-fire  D3 hits of strength 4, and fire."""
    yield from _hurl(battle, wizard, target, _some(battle, wizard, target, 3), MISSILES["fire ball"], 4, 0)


def _storm_bolt(battle: Battle, wizard: Model, target: Unit) -> Script[None]:
    """D6 hits of strength 6, two off every save."""
    yield from _hurl(battle, wizard, target, _some(battle, wizard, target, 6), MISSILES["storm bolt"], 6, -2)


def _steady_heart(battle: Battle, wizard: Model, target: Unit) -> Script[None]:
    """One more of Ld and Cl until the end of the enemy's turn."""
    spells_in_effect.lay(battle, target, "steady heart", 1, 1)
    yield from ()


def _clinging_mire(battle: Battle, wizard: Model, target: Unit) -> Script[None]:
    """Half its move in its next turn."""
    spells_in_effect.lay(battle, target, "clinging mire", 1, 1)
    yield from ()


def _black_dread(battle: Battle, wizard: Model, target: Unit) -> Script[None]:
    """Two fewer of Ld and Cl until the end of its next turn."""
    spells_in_effect.lay(battle, target, "black dread", 2, 1)
    yield from ()


def _mend_flesh(battle: Battle, wizard: Model, target: Unit) -> Script[None]:
    """A character has one wound back."""
    model = wounded(battle, target)
    if model is not None:
        model.w += 1
        battle.tell("spell.healed", RULE, (model.id,), wounds=model.w)
    yield from ()


def _unbind(battle: Battle, wizard: Model, target: Unit) -> Script[None]:
    """Every spell on a unit ends."""
    names = [name for name, _, _ in target.spells]
    target.spells = ()
    battle.tell("spell.unbound", RULE, (target.id,), spells=", ".join(names))
    yield from ()


def _terror(battle: Battle, wizard: Model, target: Unit) -> Script[None]:
    """wfb3:10.7-test  A panic test at once."""
    yield from panic.test(battle, target, RULE, battle.units[wizard.unit])


EFFECTS = {
    "fire ball": _fire_ball, "storm bolt": _storm_bolt, "steady heart": _steady_heart, "clinging mire": _clinging_mire,
    "black dread": _black_dread, "mend flesh": _mend_flesh, "unbind": _unbind, "terror from beyond": _terror,
    **fire_magic.EFFECTS,
}  # fmt: skip
