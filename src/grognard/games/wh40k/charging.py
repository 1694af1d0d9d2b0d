"""wh40k:9  Charge phase: declare, roll, move; Heroic Intervention and Tank Shock."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.games.wh40k import barricades, casualties, moves, overwatch, steps, stratagems
from grognard.games.wh40k.amounts import D6, Amount
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.combat_moves import CombatJudge
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.ground import Way
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import MM_PER_INCH, inches
from grognard.kernel.questions import Option, Pick, Place, Roll, Script, option

TWELVE = inches(12)
SIX = inches(6)
HEROIC = "wh40k:13.2.11-heroic-intervention"
SHOCK = "wh40k:13.2.6-tank-shock"


class ChargeJudge(CombatJudge):
    """wh40k:9.4.2-conditions  Whether a Charge move is legal: every target reached, nobody else, coherent, contact."""

    must_move = True
    closer_rule = "wh40k:9.4.4-closer"
    unit_rule = "wh40k:9.4.2-conditions"
    contact_rule = "wh40k:9.4.5-base-contact"

    def __init__(self, battle: Battle, unit: Unit, targets: list[Unit], far: float) -> None:
        self.targets = targets
        self.far = far
        way = Way("charge", tuple(t.id for t in targets))
        movers = [m for m in battle.members(unit) if m.profile.M is not None]
        super().__init__(battle, unit, movers, way, lambda m: far, "wh40k:9.4.1-roll")

    def foes(self) -> list[Model]:
        return [m for t in self.targets for m in self.battle.members(t)]

    def hopeless(self) -> bool:
        reach = self.far + barricades.ACROSS
        return any(self.battle.unit_gap(self.unit, t, flat=True) > reach for t in self.targets)

    def marks(self, model: Model) -> list[list[Model]]:
        return [self.battle.members(t) for t in self.targets if t.models]

    def unit_holds(self, ends: Mapping[str, Pose]) -> bool:
        return all(
            self.near(ends, self.battle.members(t)) or barricades.reaches(self.battle, ends, t) for t in self.targets
        )


def begin(battle: Battle) -> None:
    """wh40k:9.3.1-eligible  Ruling: who is within 12" of an enemy is settled at the start of the phase."""
    enemies = battle.army(battle.other(battle.active))
    for unit in battle.army(battle.active):
        unit.near_enemy = any(battle.within(unit, e, TWELVE) for e in enemies)


def charge_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """wh40k:9.3.1-eligible, 4.6.2, 4.7.2, 5.5.3, 5.6.3, 17.6.1  Why a unit may not declare a charge."""
    facts = {"unit": unit.id}
    if unit.moved == "advance":
        return Refusal("refuse.advanced", "wh40k:4.6.2-advance-limits", facts)
    if unit.moved == "fall-back":
        return Refusal("refuse.fell-back", "wh40k:4.7.2-fall-back-limits", facts)
    if battle.is_kind(unit, "AIRCRAFT"):
        return Refusal("refuse.aircraft-charge", "wh40k:17.6.1-charge", facts)
    if unit.no_charge:
        rule = "wh40k:5.6.3-effects" if unit.disembarked == "wreck" else "wh40k:5.5.3-after"
        return Refusal("refuse.just-disembarked", rule, facts)
    if battle.engaged(unit):
        return Refusal("refuse.engaged", "wh40k:9.3.1-eligible", facts)
    if all(m.profile.M is None for m in battle.members(unit)):
        return Refusal("refuse.immobile", "wh40k:11.1.1-m", facts)
    return None


def targets(battle: Battle, unit: Unit, reach: float = TWELVE) -> list[Unit]:
    """wh40k:9.3.2-targets, 17.6.1-charge  Enemy units within 12" of the charger, seen or not; AIRCRAFT for FLY only."""
    found = [e for e in battle.army(battle.other(unit.seat)) if battle.within(unit, e, reach)]
    flies = battle.is_kind(unit, "FLY")
    return [e for e in found if flies or not battle.is_kind(e, "AIRCRAFT")]


def phase(battle: Battle) -> Script[None]:
    """wh40k:9.1-sequence  The active player charges with units, one at a time, as many as wanted."""
    from grognard.games.wh40k import mission

    seat = battle.active
    while True:
        options, barred = _choices(battle, seat)
        if not options:
            return
        chosen = yield Pick(
            seat, "charge.unit", options, optional=True, barred=barred, rule="wh40k:9.1-sequence", checkpoint=True
        )
        if chosen is None:
            return
        kind, unit = chosen
        if kind == "tank-shock":
            stratagems.pay(battle, seat, "tank-shock", unit.id)
            unit.tank_shock = True
            continue
        unit.acted = True  # wh40k:9.1-sequence  once per phase
        yield from declare(battle, unit)
        mission.check(battle)


def _choices(battle: Battle, seat: str) -> tuple[list[Option], dict[str, Refusal]]:
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for unit in battle.army(seat):
        if unit.acted:
            continue
        refusal = charge_refusal(battle, unit)
        if refusal is None and not (unit.near_enemy and targets(battle, unit)):
            refusal = Refusal("refuse.no-charge-target", "wh40k:9.3.2-targets", {"unit": unit.id})
        if refusal is not None:
            barred[unit.id] = refusal
            continue
        options.append(option(unit.id, ("charge", unit), about=(unit.id,)))
        if (
            not unit.tank_shock
            and battle.is_kind(unit, "VEHICLE")
            and stratagems.usable(battle, seat, "tank-shock", unit)
        ):
            facts = {"unit": unit.name}
            options.append(
                Option(f"tank-shock:{unit.id}", ("tank-shock", unit), "option.tank-shock", (unit.id,), facts)
            )
    return options, barred


def declare(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:9.3.2-targets  One or more targets, then the roll and the move."""
    able = targets(battle, unit)
    chosen = yield Pick(
        unit.seat, "charge.targets", [option(e.id, e, about=(e.id,)) for e in able], least=1, most=len(able),
        rule="wh40k:9.3.2-targets", about=(unit.id,),
    )  # fmt: skip
    yield from charge(battle, unit, list(chosen) if isinstance(chosen, tuple) else [chosen])


def charge(battle: Battle, unit: Unit, marks: list[Unit]) -> Script[None]:
    """wh40k:9.4.1-roll, 9.4.3-fail, 23.54-overwatch-casualties  2D6 inches; all conditions, or nobody moves."""
    battle.tell("charge.declared", "wh40k:9.3.2-targets", (unit.id, *(t.id for t in marks)))
    roll, used = yield from steps.total(stratagems.roller(battle, unit), "charge", Amount(2), "wh40k:9.4.1-roll")
    stratagems.settle(battle, unit, used, summed=True)
    judge = ChargeJudge(battle, unit, marks, inches(roll))
    known = judge.plan() is not None
    before = battle.bodies.version
    if known:
        yield from overwatch.window(battle, unit, "start")
        if not unit.models:
            return
        if battle.bodies.version != before:
            judge = ChargeJudge(battle, unit, marks, inches(roll))
            known = judge.plan() is not None
            if not known:
                battle.cite("wh40k:23.54-overwatch-casualties")
    made = None
    if known or all(battle.unit_gap(unit, t) <= inches(roll + 1) for t in marks):
        made = yield Place(
            unit.seat, "charge.move", unit.models, judge, optional=not known, rule="wh40k:9.4.2-conditions",
            about=(unit.id, *(t.id for t in marks)), data={"inches": roll},
        )  # fmt: skip
    if made is None:
        battle.tell("charge.failed", "wh40k:9.4.3-fail", (unit.id,), roll=roll)
        return
    gone = moves.apply(battle, made)
    unit.charged = True
    if battle.is_kind(unit, "FLY"):
        battle.cite("wh40k:23.34-fly-charge", "wh40k:9.6-fly")
    if battle.table.pieces:
        battle.cite("wh40k:9.5-terrain")
    battle.tell("charge.made", "wh40k:9.2-bonus", (unit.id,), roll=roll, inches=round(gone / MM_PER_INCH, 2))
    yield from overwatch.window(battle, unit, "end")
    if unit.models and unit.tank_shock:
        yield from _tank_shock(battle, unit)
    if unit.models and unit.seat == battle.active:
        yield from _heroic(battle, unit)


def _tank_shock(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:13.2.6-tank-shock  D6 by a melee weapon's Strength; each 5+ a mortal wound, six at most."""
    unit.tank_shock = False
    foes = battle.engaged_with(unit)
    weapons = list(dict.fromkeys(w for m in battle.members(unit) for w in m.weapons if w.melee))
    if not foes or not weapons:
        return
    target = yield Pick(
        unit.seat, "tank-shock.target", [option(e.id, e, about=(e.id,)) for e in foes], rule=SHOCK, about=(unit.id,)
    )
    options = [option(w.name, w, text="option.weapon", data={"weapon": w.name}) for w in weapons]
    weapon = yield Pick(unit.seat, "tank-shock.weapon", options, rule=SHOCK, about=(unit.id,))
    from grognard.games.wh40k.attacks import toughness

    count = weapon.strength + (2 if weapon.strength > toughness(battle, target).value else 0)
    faces = yield Roll(
        unit.seat, "tank-shock", D6, count, rule=SHOCK, about=(unit.id, target.id), need=5, sense="high", cuts=(5,)
    )
    yield from casualties.mortal_wounds(battle, target, min(6, sum(face >= 5 for face in faces)), SHOCK)


def _heroic(battle: Battle, charger: Unit) -> Script[None]:
    """wh40k:13.2.11-heroic-intervention, 23.24-heroic-result  A unit within 6" charges the charger at once."""
    seat = battle.other(charger.seat)
    if not stratagems.usable(battle, seat, "heroic-intervention"):
        return
    able = [u for u in battle.army(seat) if _may_intervene(battle, u, charger)]
    if not able:
        return
    options = [option(u.id, u, about=(u.id,)) for u in able]
    chosen = yield Pick(seat, "heroic", options, optional=True, rule=HEROIC, about=(charger.id,))
    if chosen is None:
        return
    stratagems.pay(battle, seat, "heroic-intervention", chosen.id, charger.id)
    chosen.heroic = True
    battle.cite("wh40k:23.24-heroic-result")
    yield from charge(battle, chosen, [charger])


def _may_intervene(battle: Battle, unit: Unit, charger: Unit) -> bool:
    """Within 6", able to declare a charge against it, no VEHICLE but a WALKER. Its own earlier turn does not count."""
    if unit.shocked or (battle.is_kind(unit, "VEHICLE") and not battle.is_kind(unit, "WALKER")):
        return False
    if battle.engaged(unit) or battle.is_kind(unit, "AIRCRAFT"):
        return False
    return charger in targets(battle, unit, SIX)
