"""Chapter 7.15: challenges between leaders and characters."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import striking
from grognard.games.wfb3.combat.score import Score
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.rolls.modifiers import Group
from grognard.games.wfb3.table import contacts, crews, indoor_fights
from grognard.games.wfb3.troops import assassins
from grognard.kernel.questions import Note, Option, Pick, Script, Split

#: wfb3:7.15.3-refuse  What refusing costs.
REFUSING = (Note("note.challenge.refuse", {}, "wfb3:7.15.3-refuse"),)


def issue(battle: Battle, fight: Sequence[Unit]) -> Script[None]:
    """wfb3:7.15-leader, wfb3:7.15.1-characters, wfb3:7.15.1-order
    Before blows: first leaders are challenged, by leaders and characters, then characters by characters; higher
    initiative first, the active side at ties.
    """
    for model in [m for unit in fight for m in battle.members(unit)]:
        model.fight = model.fight.but(duel="", refused=False, dared="")
    assassins.pair_off(battle, fight)
    for unit in fight:
        wide = unit.block.files if unit.block is not None else 0
        unit.combat = unit.combat.but(strength_at_start=battle.size(unit), front_at_start=wide)
    able = [m for unit in fight for m in champions(battle, unit)]
    able.sort(key=lambda m: (m.id != battle.units[m.unit].leader, -m.profile.I, m.seat != battle.active))
    later: list[tuple[Model, Unit, Model]] = []
    queue, asked = list(able), set[str]()
    while queue:
        model = queue.pop(0)
        asked.add(model.id)
        chosen = yield from _calls_out(battle, model, leaders=True)
        if chosen is not None and chosen[1] is _leader(battle, chosen[0]):
            yield from answer(battle, model, *chosen)
            if _free(chosen[1]) and model.fight.duel and chosen[1].id in asked:
                queue.append(chosen[1])  # wfb3:7.15.2-accept: his honour defended by another, he may challenge himself
        elif chosen is not None:
            later.append((model, *chosen))
    later.sort(key=lambda one: (-one[0].profile.I, one[0].seat != battle.active))
    for model, foe, dared in later:
        if _free(model):
            again = (foe, dared) if _free(dared) else (yield from _calls_out(battle, model, leaders=False))
            if again is not None:
                yield from answer(battle, model, *again)


def _calls_out(battle: Battle, model: Model, *, leaders: bool) -> Script[tuple[Unit, Model] | None]:
    """wfb3:7.15.1-characters  Whom a champion challenges: the leader of an enemy unit, a character also another."""
    unit = battle.units[model.unit]
    if not _free(model) or any(f.seat == unit.seat for f, _, _ in battle.foes(unit)):
        return None
    options = []
    for foe, _, _ in battle.foes(unit):
        for dared in [m for m in champions(battle, foe) if _free(m)]:
            if dared is _leader(battle, foe):
                options += [Option(foe.id, (foe, dared), about=(foe.id,))] if leaders else []
            elif model.role == "character":
                options.append(Option(dared.id, (foe, dared), about=(dared.id, foe.id)))
    if not options:
        return None
    rule = "wfb3:7.15-leader" if model.id == unit.leader else "wfb3:7.15.1-characters"
    chosen: tuple[Unit, Model] | None = yield Pick(
        model.seat, "challenge.issue", options, optional=True, rule=rule, about=(model.id, unit.id)
    )
    if chosen is not None:
        battle.cite("wfb3:7.15.1-order")
    return chosen


def _free(model: Model) -> bool:
    return model.alive and not model.fight.duel and not model.fight.refused


def _leader(battle: Battle, unit: Unit) -> Model | None:
    """Whom the others follow; a character who stands alone is his own leader."""
    leader = battle.leader(unit)
    return next(iter(battle.members(unit)), None) if leader is None and unit.kind == "character" else leader


def champions(battle: Battle, unit: Unit) -> list[Model]:
    """Who may challenge and be challenged: the leader and every character; nobody in a spearhead."""
    if unit.kind in ("monster", "chariot"):
        return [m for m in crews.of_unit(battle, unit) if m.role == "character"]
    if unit.drill.formation == "wedge":
        battle.cite("wfb3:5.7.4-wedge-characters")
        return []
    leader = battle.leader(unit)
    found = battle.characters(unit)
    if unit.where == "building":
        there = indoor_fights.fighting(battle, unit)
        found = [m for m in found if m.id in there]
        leader = leader if leader is not None and leader.id in there else None
    return [leader, *(m for m in found if m is not leader)] if leader is not None else found


def answer(battle: Battle, challenger: Model, foe: Unit, dared: Model) -> Script[None]:
    """wfb3:7.15.2-accept, wfb3:7.15.3-refuse, wfb3:7.15.5-unfair, wfb3:20.10.1-challenge
    Whoever takes it up fights; refusing costs honour."""
    free = [m for m in champions(battle, foe) if not m.fight.duel and not m.fight.refused]
    options = [Option(m.id, m, about=(m.id,)) for m in free]
    home = battle.units[challenger.unit]
    giant = home.kind != "chariot" and battle.large(home) and not battle.large(foe)
    helpers = len(idle(battle, foe)) if giant else 0
    if giant and len(free) + helpers > 1:
        options.append(Option("together", "together", "option.challenge.together", data={"troops": helpers}))
    options.append(Option("refuse", "refuse", "option.challenge.refuse", notes=REFUSING))
    battle.tell("challenge", "wfb3:7.15-leader", (challenger.id, foe.id))
    chosen = yield Pick(foe.seat, "challenge.answer", options, rule="wfb3:7.15.2-accept", about=(challenger.id, foe.id))
    if isinstance(chosen, Model):
        challenger.fight = challenger.fight.but(duel=chosen.id)
        chosen.fight = chosen.fight.but(duel=challenger.id)
        battle.tell("challenge.accepted", "wfb3:7.15.2-accept", (challenger.id, chosen.id))
        for model in (challenger, chosen):
            if model.ride.aboard and battle.models[model.ride.aboard].ride.car is not None:
                battle.tell("duel.off", "wfb3:20.10.1-challenge", (model.id, model.ride.aboard))
        return
    if chosen == "together":
        gang, helpers = yield from _gang(foe, challenger, free, helpers)
        for model in gang:
            model.fight = model.fight.but(duel=challenger.id)
        challenger.fight = challenger.fight.but(duel=gang[0].id)
        foe.combat = foe.combat.but(gang=(challenger.id, helpers))
        battle.tell("challenge.together", "wfb3:7.15.5-gang", (challenger.id, *(m.id for m in gang)), troops=helpers)
        return
    if giant:
        battle.tell("challenge.declined", "wfb3:7.15.5-unfair", (foe.id, challenger.id))
        return
    dared.fight = dared.fight.but(refused=True, dared=challenger.id)
    if dared is battle.leader(foe) and not foe.minds.ld_loss:
        foe.minds = foe.minds.but(ld_loss=1)
    battle.tell("challenge.refused", "wfb3:7.15.3-refuse", (dared.id, challenger.id))


def _gang(foe: Unit, challenger: Model, free: list[Model], helpers: int) -> Script[tuple[list[Model], int]]:
    """wfb3:7.15.5-gang  Who takes up a giant's challenge together: all, unless their player leaves somebody out."""
    options = [Option(m.id, m, about=(m.id,)) for m in free]
    if helpers:
        options.append(Option("troops", "troops", "option.challenge.troops", data={"troops": helpers}))
    if len(options) < 2:
        return free, helpers
    picked = yield Pick(
        foe.seat, "challenge.gang", options, least=1, most=len(options), optional=True, aside=True,
        rule="wfb3:7.15.5-gang", about=(challenger.id, foe.id),
    )  # fmt: skip
    gang = [m for m in picked or () if isinstance(m, Model)]
    return (gang, helpers if "troops" in picked else 0) if gang else (free, helpers)


def idle(battle: Battle, unit: Unit) -> list[Model]:
    """wfb3:7.15.5-gang  Models of the front rank that touch no enemy."""
    if unit.block is None:
        return []
    touching = contacts.engaged_numbers(battle, unit)
    places = zip(battle.block_of(unit).places, unit.models, strict=True)
    found = [battle.models[m] for p, m in places if p.rank == 0 and p.number not in touching]
    return [m for m in found if m.role != "character" and m.id != unit.leader]


def against_many(battle: Battle, group: Group, attacks: int, rivals: Sequence[Model]) -> Script[int]:
    """wfb3:7.15.5-gang, wfb3:11.2.2-choice  A giant shares its blows among those who took up its challenge together."""
    options = [Option(m.id, m.id, about=(m.id,)) for m in rivals]
    shares = yield Split(
        battle.units[group.unit].seat, "combat.aim", options, attacks, rule="wfb3:11.2.2-choice",
        about=(group.unit, group.foe), data={"by": group.who},
    )  # fmt: skip
    total = 0
    for key, number in shares.items():
        if battle.models[key].alive:
            total += yield from striking.strike(battle, group, number, battle.models[key])
    return total


def cornered(battle: Battle, fight: Sequence[Unit], score: Score) -> Script[None]:
    """wfb3:7.15.4-coward  A leader who refused is struck at once when his whole front rank has been killed."""
    for unit in fight:
        leader = battle.leader(unit) if unit.where == "table" else None
        if leader is None or not leader.fight.refused or unit.combat.front_at_start < 2:
            continue
        if unit.combat.strength_at_start - battle.size(unit) < unit.combat.front_at_start - 1:
            continue
        foe = next(
            (
                battle.models[c]
                for f, _, _ in battle.foes(unit)
                for c in f.models
                if battle.models[c].id == leader.fight.dared
            ),
            None,
        )
        if foe is None or not foe.alive:
            continue
        battle.tell("challenge.cornered", "wfb3:7.15.4-coward", (leader.id, foe.id))
        leader.fight = leader.fight.but(refused=False)
        one, other = battle.units[foe.unit], unit
        pairs = [(foe, one, other, leader), (leader, other, one, foe)]
        for striker, home, enemy, victim in sorted(pairs, key=lambda p: -p[0].profile.I):
            if not striker.alive or not victim.alive:
                continue
            for group in striking.single_groups(battle, home, enemy, striker):
                wounds = yield from striking.strike(battle, group, group.attacks, victim)
                score.wounds[home.id] = score.wounds.get(home.id, 0) + wounds


def clear(battle: Battle, fight: Sequence[Unit]) -> None:
    for unit in fight:
        unit.combat = unit.combat.but(gang=("", 0))
        for model in battle.members(unit):
            model.fight = model.fight.but(duel="", refused=False)
            for key in model.ride.crew:
                rider = battle.models[key]
                if rider.fight.duel and model.ride.car is not None:
                    battle.tell("duel.on", "wfb3:20.10.1-challenge", (rider.id, model.id))
                rider.fight = rider.fight.but(duel="", refused=False)
