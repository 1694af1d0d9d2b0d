"""Chapter 1.1.6, 0-damage-pipeline  Damage tests on fighters and things, from whatever strikes them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.ades.abilities import Blow, skillset
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.losses import casualties
from grognard.games.ades.rolls import characteristic_points, stats, steps, tests
from grognard.games.ades.rolls.steps import Hit, Hurt
from grognard.games.ades.rolls.tests import Shift
from grognard.games.ades.texts.words import COLUMNS
from grognard.kernel.geometry import units
from grognard.kernel.questions import Pick, Roll, Script, option
from grognard.kernel.words.tally import Tally

RULE = "ades:1.1.6-procedure"
NOTHING = Hurt(0, 0, 0)


class Source(msgspec.Struct, frozen=True):
    """How a damage test comes about: melee, shot or neither, and what it brings."""

    melee: bool = False
    shot: bool = False
    attack: bool = False  # ades:13.2-toxique  an attack or shot, which may poison
    master: bool = False
    resolved: bool = False
    aimed: bool = False
    shifts: tuple[Shift, ...] = ()
    res: Tally | None = None  # RES as it was at the start of the combat
    name: str = "damage"


def strike(
    battle: Battle, target: Fighter | Thing, force: Tally | float, how: Source, rule: str, *,
    by: Fighter | None = None, apply: bool = True,
) -> Script[Hurt]:  # fmt: skip
    """ades:1.1.6-procedure, ades:13.2-resolution-for
    One damage test on a target; `apply` takes the life points at once."""
    if (yield from _cancelled(battle, target, rule)):
        return NOTHING
    if apply and how.melee and by is not None and (yield from tests.resolve(battle, by, "FOR")):
        battle.cite("ades:13.2-resolution-for")
        how = msgspec.structs.replace(how, resolved=True)
    if isinstance(target, Fighter) and how.res is None:
        yield from characteristic_points.offer(battle, target, ("RES",), "damage")
    hit = prepare(battle, target, force, how, rule, by)
    hurt = yield from steps.damage(hit)
    battle.cite(RULE, "ades:1.1.6-bidule", "ades:0-damage-pipeline", *hurt.rules)
    again = {"intimidation": "ades:13.2-intimidation", "seasoned": "ades:13.2-aguerri"}
    for source in hurt.used:
        battle.cite("ades:1.1.10-once", *((again[source],) if source in again else ()))
    if by is not None and how.attack and battle.has(by, "toxique"):
        battle.cite("ades:13.2-toxique")
    if hurt.again:
        tests.told_again(battle, hit.about, hurt.again[:1], hurt.again[1:], hurt.used)
    column = COLUMNS[int(hit.column.value)]
    battle.tell(
        "damage", rule, hit.about, target=target.id, face=hurt.face, column=column, table=hurt.base, lost=hurt.lost
    )
    if apply:
        yield from inflict(battle, target, hurt.lost, how, by, rule)
    return hurt


def inflict(
    battle: Battle, target: Fighter | Thing, lost: int, how: Source, by: Fighter | None, rule: str
) -> Script[None]:
    """Take the life points, and leave a poison where there is one."""
    if isinstance(target, Thing):
        casualties.wear(battle, target, lost, rule, by.seat if by is not None else "")
        return
    if lost and how.attack and by is not None:
        poison(battle, target, by)
    yield from casualties.lose(battle, target, lost, rule, by=by)


def poison(battle: Battle, target: Fighter, by: Fighter) -> None:
    """ades:13.2-toxique  Each attack or shot that took a life point leaves a marker."""
    if battle.has(by, "toxique") and not battle.immune(target, "Toxic") and not battle.immune_from(target, by):
        value = battle.number(by, "toxique")
        target.marks = target.marks.but(toxic=(*target.marks.toxic, value))
        battle.tell("toxic", "ades:13.2-toxique", (by.id, target.id), value=value)


def _cancelled(battle: Battle, target: Fighter | Thing, rule: str) -> Script[bool]:
    """ades:11.2-cancel, ades:13.2.1.1-garde  What stops a damage test before its die."""
    if isinstance(target, Thing):
        held = skillset(target.skills)
        if held.has("garde"):
            need = held.number("garde")
            seat = target.seat or battle.seats[0]
            (face,) = yield Roll(
                seat, "guard", 6, rule="ades:13.2.1.1-garde", about=(target.id,), need=need, sense="high"
            )
            return bool(face >= need)
        return False
    left = [p for p in target.profile.capabilities if p.name not in target.powers.neutralised]
    if not target.profile.titan or target.round.shielded or not left:
        return False
    chosen = yield Pick(
        target.seat, "titan.cancel", [option(p.name, text="option.capability", data={"name": p.name}) for p in left],
        optional=True, rule="ades:11.2-cancel", about=(target.id,),
    )  # fmt: skip
    if chosen is None:
        return False
    target.round = target.round.but(shielded=True)
    target.powers = target.powers.but(neutralised=(*target.powers.neutralised, chosen))
    for card in battle.cards.values():
        if card.seat == target.seat and card.capability == chosen and target.id in card.fighters:
            casualties.leave_sequence(battle, card)
    battle.tell("titan.cancelled", "ades:11.2-cancel", (target.id,), capability=chosen)
    return True


def prepare(
    battle: Battle, target: Fighter | Thing, force: Tally | float, how: Source, rule: str, by: Fighter | None
) -> Hit:
    """ades:0-damage-pipeline, ades:11.2-weak
    The column with its account, and everything that may change the result."""
    res = how.res or stats.resistance(battle, target)
    battle.cite(*res.rules, *(force.rules if isinstance(force, Tally) else ()))
    power = force.value if isinstance(force, Tally) else force
    column = Tally(steps.column(power - res.value), f"FOR {power:g} against RES {res.value:g}", RULE)
    weak = isinstance(target, Fighter) and target.profile.titan and 2 * power <= res.value
    marks = battle.marks(target) if isinstance(target, Fighter) else ()
    blow = Blow(melee=how.melee, shot=how.shot, target=marks, weak=weak)
    for columns, what, why in _shifts(battle, target, by, blow, how):
        column.add(columns, what, why)
    if len(column.changes) > 1:
        battle.cite("ades:1.1.7")
    column.at_least(0, "first column", "ades:1.1.7").at_most(9, "last column", "ades:1.1.7")
    seat = battle.chooser(by, target) if by is not None else battle.seats[0]
    column.set(column.value, f"bidule-{int(column.value)}", "ades:1.1.6-bidule")
    about = (target.id,) if by is None else (by.id, target.id)
    hit = Hit(seat, how.name, rule, column, about, master=how.master, cap=2 if weak else 99)
    if weak:
        battle.cite("ades:11.2-weak")
    if isinstance(target, Fighter):
        hit = _struck(battle, hit, target, by, how, blow)
    else:
        sacred = "weapon" if how.melee and by is not None and battle.has(by, "sacred-weapon") else ""
        hit = msgspec.structs.replace(hit, again=_rerolls(battle, target, by, how)[0], sacred=sacred)
    if by is not None and (how.melee or how.shot):
        held = battle.skills(by)
        if held.has("feroce"):
            battle.cite("ades:13.2-feroce")
        hit = msgspec.structs.replace(
            hit, sword_axe=held.has("sword-axe"),
            ferocious=how.melee and held.has("feroce") and not weak and not _spared(battle, target),
        )  # fmt: skip
    return hit


def _spared(battle: Battle, target: Fighter | Thing) -> bool:
    """ades:13.2-immunite  Whom ferocity does not touch."""
    return isinstance(target, Fighter) and battle.immune(target, "Ferocious")


def _shifts(battle: Battle, target: Fighter | Thing, by: Fighter | None, blow: Blow, how: Source) -> Sequence[Shift]:
    """ades:13.2-fleau, ades:13.2-dur-a-cuire, ades:4.2.4.1-dodge  Columns right and left."""
    found: list[Shift] = []
    if by is not None:
        for held in battle.skills(by).held:
            if columns := held.skill.strikes(blow):
                battle.cite(*held.rules)
                found.append((columns, held.skill.name, held.skill.rule))
                break
    if isinstance(target, Fighter):
        for held in battle.skills(target).held:
            if columns := held.skill.suffers(blow):
                battle.cite(*held.rules)
                found.append((columns, held.skill.name, held.skill.rule))
                break
    return [*found, *how.shifts]


def _struck(battle: Battle, hit: Hit, target: Fighter, by: Fighter | None, how: Source, blow: Blow) -> Hit:
    """ades:1.1.10-priority, ades:13.1-sacre-neutralise
    What the fighter struck brings: its own skills, sacred gear, and who may roll again first."""
    mine = battle.skills(target)
    sacred = ""
    weapon = how.melee and by is not None and battle.has(by, "sacred-weapon")
    armour = mine.has("sacred-armour")
    if weapon and armour:
        battle.cite("ades:13.1-sacre-neutralise")
    elif weapon or armour:
        sacred = "weapon" if weapon else "armour"
    if mine.has("frere-de-sang") and near_brother(battle, target):
        instinct = True
        battle.cite("ades:13.2-frere-de-sang-near")
    else:
        instinct = mine.has("instinct-de-survie")
    own, forced = _rerolls(battle, target, by, how)
    active = battle.speaker if battle.phase in ("activation", "combat") else ""
    if own and forced:
        battle.cite("ades:1.1.10-priority")
    return msgspec.structs.replace(
        hit, foe=battle.chooser(target, by), again=own, forced=forced, sacred=sacred, instinct=instinct,
        foe_first=active == target.seat, vulnerable=mine.has("vulnerable"), ethereal=mine.has("ethere"),
    )  # fmt: skip


def _rerolls(
    battle: Battle, target: Fighter | Thing, by: Fighter | None, how: Source
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """ades:13.2-aguerri-for, ades:13.2-intimidation-for, ades:13.2-aguerri-cancel  FOR in melee, FOR(tir) for shots.

    Ruling: FOR(tir) is not the same characteristic as FOR, so it does not cancel out with Intimidation/FOR.
    """
    bold = isinstance(target, Fighter) and battle.skills(target).says("intimidation", "FOR")
    own: tuple[str, ...] = ()
    if by is not None and not battle.has(by, "maudit"):
        held = battle.skills(by)
        if how.melee and (held.says("aguerri", "FOR") or how.resolved):
            if bold:
                battle.cite("ades:13.2-aguerri-cancel")
                return (), ()
            own = ("resolution",) if how.resolved else ("seasoned",)
        elif how.shot and how.aimed:
            battle.cite("ades:13.2-aguerri-for")
            own = ("aimed",)
        elif how.shot and held.says("aguerri", "FOR(TIR)"):
            own = ("seasoned",)
    elif by is not None and how.melee and battle.skills(by).says("aguerri", "FOR"):
        battle.cite("ades:13.2-maudit")
    return own, ("intimidation",) if bold else ()


def near_brother(battle: Battle, fighter: Fighter) -> bool:
    """ades:13.2-frere-de-sang-near  A blood brother within 10 cm."""
    named = battle.skills(fighter).words("frere-de-sang")
    return any(
        f.seat == fighter.seat and f.profile.name in named and battle.has(f, "frere-de-sang")
        for f in battle.near(fighter, units.cm(10))
    )
