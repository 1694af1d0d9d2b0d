"""ades:4.2.2-actions  What an activated fighter may do: one exclusive action or several cumulative ones, and free ones."""

from __future__ import annotations

from collections.abc import Callable

from grognard.games.ades import (
    artillery,
    assault,
    casting,
    devices,
    disengage,
    fear,
    forcing,
    ground,
    hidden,
    machines,
    movement,
    nexus,
    powers,
    shooting,
    stats,
    tactics,
    tokens,
    transports,
)
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, ACTIVE, WAITING, Fighter
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import cm
from grognard.kernel.questions import Number, Option, Pick, Script, option

ECONOMY = "ades:4.2.2-actions"
EXCLUSIVE = (
    "run", "dodge", "engage", "charge", "disengage-assault", "aim", "force-run", "force-charge", "force-engage",
    "harass", "seize-complex", "fire-machine", "move-machine",
)  # fmt: skip
CUMULATIVE = ("walk", "disengage", "shoot", "artillery", "cast", "seize", "trap", "breath", "power-cumulative")
FREE = ("steam", "drop", "nexus", "gift", "cry", "power", "spend", "disembark")
ASSAULTS = ("engage", "charge", "disengage-assault", "force-charge", "force-engage")
MYSTIC_WITH = (*ASSAULTS, "run", "force-run", "shoot", "aim", "artillery")
TOGETHER = ("walk", "run", "dodge", "engage", "charge", "shoot", "aim")
MOVES = ("walk", "run", "dodge", "disengage", *ASSAULTS, "force-run", "harass")
#: Actions that do not give a hidden scout away.
QUIET = ("walk", "run", "trap", "dodge")


def activate(battle: Battle, group: list[Fighter], *, checkpoint: bool = True, only_move: bool = False) -> Script[None]:
    """ades:4.2.2-card, 4.2.2-group  Activate one fighter or several together."""
    begin(battle, group)
    yield from loop(battle, group, checkpoint=checkpoint, only_move=only_move)
    yield from end(battle, group)


def begin(battle: Battle, group: list[Fighter]) -> None:
    """ades:4.1.3-fighter-state, 4.1.3-roles  The fighters are active now."""
    for fighter in group:
        fighter.state = ACTIVE
        fighter.dodging = False
        fighter.vigilant = False
        fighter.new_activation()
    battle.cite("ades:4.1.3-fighter-state", "ades:4.1.3-roles")
    rule = "ades:4.2.2-group" if len(group) > 1 else "ades:4.2.2-card"
    battle.tell("activated", rule, tuple(f.id for f in group))


def end(battle: Battle, group: list[Fighter]) -> Script[None]:
    """ades:4.1.3-fighter-state  Done: they are activated; what was promised for the end of an activation happens."""
    for fighter in group:
        if not fighter.alive:
            continue
        if fighter.speed and not battle.free(fighter):
            fighter.speed = False
            battle.tell("speed.lost", "ades:13.2.1-irrepressible", (fighter.id,))
        if fighter.on_table:
            yield from tokens.offer_drop(battle, fighter, "end")
        settle_state(battle, fighter)
        yield from transports.offer(battle, fighter)


def settle_state(battle: Battle, fighter: Fighter) -> None:
    """ades:4.1.3-fighter-state, 11.3-activated  Activated; a titan only when all its cards have been played."""
    fighter.state = ACTIVATED
    if fighter.profile.titan:
        fighter.played = (*fighter.played, "reference")
        left = [p.name for p in fighter.profile.capabilities if p.name not in (*fighter.played, *fighter.neutralised)]
        if left:
            fighter.state = WAITING
            battle.cite("ades:11.3-activated")


def loop(battle: Battle, group: list[Fighter], *, checkpoint: bool, only_move: bool = False) -> Script[None]:
    """One action after another, until there is nothing left to do or the player has done enough."""
    while True:
        group = [f for f in group if f.alive and f.on_table and f.state == ACTIVE]
        if not group:
            return
        if any(f.routed for f in group):
            for fighter in [f for f in group if f.routed and not f.done]:
                yield from fear.rout_run(battle, fighter)
            return
        options, barred = choices(battle, group)
        if only_move:
            options = [o for o in options if o.key in MOVES]
        chosen = yield Pick(
            battle.chooser(group[0]), "act", [*options, option("end", text="act.end")], barred=barred, rule=ECONOMY,
            about=tuple(f.id for f in group), checkpoint=checkpoint,
        )  # fmt: skip
        if chosen == "end":
            return
        if (yield from perform(battle, group, chosen)) == "over":
            return


def perform(battle: Battle, group: list[Fighter], kind: str) -> Script[str]:
    """One action; "over" when it ends the activation."""
    outcome = yield from DO[kind](battle, group)
    tried = outcome in ("held", "none")
    for fighter in group:
        fighter.done = (*fighter.done, f"no-{kind}" if tried else kind)
        if not tried and kind not in QUIET and fighter.alive:
            hidden.reveal(battle, fighter)
    return "over" if outcome in ("stopped", "forced-stop", "dead") else outcome


# ---------------------------------------------------------------------- what is open


def choices(battle: Battle, group: list[Fighter]) -> tuple[list[Option], dict[str, Refusal]]:
    """The actions open to all of a group, and why not the others."""
    kinds = TOGETHER if len(group) > 1 else tuple(OPEN)
    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    for kind in kinds:
        if any(f"no-{kind}" in f.done for f in group):
            continue
        refusal = next((r for f in group if (r := economy(battle, f, kind)) is not None), None)
        if refusal is None:
            refusal = _possible(battle, group, kind)
        if refusal is None:
            found.append(option(kind, text=f"act.{kind}"))
        elif refusal.code:
            barred[kind] = refusal
    return found, barred


def economy(battle: Battle, fighter: Fighter, kind: str) -> Refusal | None:
    """ades:4.2.2-actions, 8.9-combine, 4.2.6  Whether an action may still be combined with those done."""
    facts = {"fighter": fighter.id, "action": f"act.{kind}"}
    if kind in FREE:
        return None
    if fighter.returned and kind != "walk":
        return Refusal("refuse.returned", "ades:13.2-renfort-return", facts)
    done = [d for d in fighter.done if d in EXCLUSIVE or d in CUMULATIVE]
    both = battle.has(fighter, "mystique-guerrier")
    if "reload" in fighter.done:
        return Refusal("refuse.reloaded", "ades:13.2-rechargement-rapide", facts)
    if done and done[0] == "artillery":
        return Refusal("refuse.artillery-first", "ades:4.2.5.5-destabilised", facts)
    if kind in EXCLUSIVE:
        rest = [d for d in done if not (both and d == "cast" and kind in MYSTIC_WITH)]
        if done and not rest:
            battle.cite("ades:8.9-combine")
        return Refusal("refuse.exclusive", ECONOMY, facts) if rest else None
    if kind == "cast":
        return _mystic(battle, done, both, facts)
    if any(d in EXCLUSIVE for d in done):
        return Refusal("refuse.exclusive-done", ECONOMY, facts)
    if kind in done:
        return Refusal("refuse.twice", ECONOMY, facts)
    if {kind, *done} >= {"walk", "disengage"}:
        return Refusal("refuse.walk-disengage", ECONOMY, facts)
    if kind in ("shoot", "artillery") and "cast" in done and not both:
        return Refusal("refuse.shot-and-formula", "ades:4.2.6", facts, ("ades:4.2.5.5-shot",))
    return None


def _mystic(battle: Battle, done: list[str], both: bool, facts: dict[str, str]) -> Refusal | None:
    """ades:4.2.6, 8.9-combine  Formulas go with cumulative actions but shots; with most others for warrior-mystics."""
    hard = [d for d in done if d in EXCLUSIVE or d in ("shoot", "artillery")]
    if not hard:
        return None
    if both and all(d in MYSTIC_WITH for d in hard):
        battle.cite("ades:8.9-combine")
        return None
    rule = "ades:4.2.6" if hard[0] in ("shoot", "artillery") else ECONOMY
    return Refusal("refuse.shot-and-formula" if rule == "ades:4.2.6" else "refuse.exclusive-done", rule, facts)


NOT_HERE = Refusal("", ECONOMY)


def _possible(battle: Battle, group: list[Fighter], kind: str) -> Refusal | None:
    """Whether an action can be done at all from here; a refusal without a code is not worth telling."""
    return next((r for f in group if (r := OPEN[kind](battle, f, group)) is not None), None)


def _walk(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    return _afoot(battle, fighter, "ades:4.2.4.1-walk")


def _run(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    return _afoot(battle, fighter, "ades:4.2.4.1-run")


def _dodge(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    return _afoot(battle, fighter, "ades:4.2.4.1-dodge")


def _afoot(battle: Battle, fighter: Fighter, rule: str) -> Refusal | None:
    if stats.value(battle, fighter, "MOU") <= 0:
        return NOT_HERE
    if not battle.free(fighter):
        return Refusal("refuse.not-free", rule, {"fighter": fighter.id}, ("ades:1.1.13-free",))
    if battle.contacts(fighter):
        battle.cite("ades:4.2.4.1-friend-contact")
    return None


def _charge(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    return _assault(battle, fighter, "charge", group)


def _engage(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    return _assault(battle, fighter, "engage", group)


def _assault(battle: Battle, fighter: Fighter, kind: str, group: list[Fighter]) -> Refusal | None:
    if not battle.free(fighter):
        return Refusal("refuse.not-free", assault.RULES[kind], {"fighter": fighter.id}, ("ades:1.1.13-free",))
    if fighter is not group[-1]:
        return None
    key = ("assault", battle.bodies.version, kind, tuple(f.id for f in group), fighter.level_changed)
    known: dict[object, bool] = battle._memo.setdefault("assaults", {})
    if key not in known:
        known.clear() if len(known) > 64 else None
        known[key] = any(assault._refused(battle, group, t, kind, (), None) is None for t in battle.enemies(fighter))
    return None if known[key] else Refusal("refuse.nobody", "ades:4.2.4.2-infeasible", {"fighter": fighter.id})


def _leave(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    """ades:4.2.4.1-disengage  In contact, and not the victim of an assault (Ruling: this turn)."""
    facts = {"fighter": fighter.id}
    if battle.free(fighter):
        return Refusal("refuse.nobody-near", disengage.RULE, facts)
    if fighter.assaulted:
        return Refusal("refuse.assaulted", disengage.RULE, facts)
    return None


def _leave_assault(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    refusal = _leave(battle, fighter, group)
    if refusal is not None:
        return refusal
    through = tuple(f.id for f in battle.foes_of(fighter))
    found = any(
        f.id not in through and assault.reaches(battle, fighter, f, "disengage-assault", through)
        for f in battle.enemies(fighter)
    )
    return None if found else NOT_HERE


def _shoot(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    refusal = shooting.may_shoot(battle, fighter, shooting.small_arms(fighter))
    if refusal is not None:
        return refusal if fighter.profile.weapons else NOT_HERE
    guns = [shooting.Gun(fighter, w) for w in shooting.small_arms(fighter)]
    if any(shooting.target_refusal(battle, g, t) is None for g in guns for t in battle.enemies(fighter)):
        return None
    return Refusal("refuse.no-target", "ades:4.2.5.1", {"fighter": fighter.id})


def _aim(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    refusal = _shoot(battle, fighter, group)
    if refusal is not None:
        return refusal
    guns = [shooting.Gun(fighter, w, aim="TIR") for w in shooting.small_arms(fighter)]
    if any(shooting.target_refusal(battle, g, t) is None for g in guns for t in battle.enemies(fighter)):
        return None
    return Refusal("refuse.aimed-melee", "ades:4.2.5.5-aimed", {"fighter": fighter.id, "target": ""})


def _cannon(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    weapons = shooting.artillery(fighter)
    return NOT_HERE if not weapons else shooting.may_shoot(battle, fighter, weapons)


def _harass(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    """ades:13.2-harcelement"""
    if not battle.has(fighter, "harcelement") or not shooting.small_arms(fighter):
        return NOT_HERE
    return shooting.may_shoot(battle, fighter, shooting.small_arms(fighter))


def _force(kind: str) -> Callable[[Battle, Fighter, list[Fighter]], Refusal | None]:
    def possible(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
        if fighter.seat not in battle.sides:
            return NOT_HERE
        refusal = tactics.refusal(battle, fighter.seat, "force") or tactics.fit(battle, fighter)
        if refusal is not None:
            return refusal if kind == "run" else NOT_HERE
        if not battle.free(fighter):
            return NOT_HERE
        far = 2 * cm(stats.value(battle, fighter, "MOU"))
        near = [f for f in battle.enemies(fighter) if battle.gap(fighter, f) <= far and not f.hidden]
        if len(near) < (1 if kind == "run" else 2):
            return NOT_HERE
        if kind == "run":
            return None
        through = tuple(f.id for f in battle.enemies(fighter))
        found, _ = assault.targets(battle, [fighter], kind, through)
        return None if found else NOT_HERE

    return possible


Open = Callable[[Battle, Fighter, list[Fighter]], Refusal | None]
OPEN: dict[str, Open] = {
    "walk": _walk,
    "run": _run,
    "charge": _charge,
    "engage": _engage,
    "dodge": _dodge,
    "disengage": _leave,
    "disengage-assault": _leave_assault,
    "shoot": _shoot,
    "aim": _aim,
    "artillery": _cannon,
    "harass": _harass,
    "force-run": _force("run"),
    "force-charge": _force("charge"),
    "force-engage": _force("engage"),
    "cast": casting.possible,
    "seize": tokens.possible,
    "seize-complex": tokens.possible_complex,
    "trap": devices.may_lay,
    "breath": devices.may_breathe,
    "steam": devices.may_steam,
    "spend": devices.may_spend,
    "drop": tokens.may_drop,
    "nexus": nexus.possible,
    "gift": powers.may_give,
    "cry": powers.may_cry,
    "power": powers.possible,
    "fire-machine": machines.may_fire,
    "move-machine": machines.may_move,
    "disembark": transports.may_disembark,
}


# ---------------------------------------------------------------------- doing it


def _move(kind: str) -> Callable[[Battle, list[Fighter]], Script[str]]:
    def do(battle: Battle, group: list[Fighter]) -> Script[str]:
        outcome = "held"
        for fighter in group:
            if fighter.alive and battle.free(fighter):
                one = yield from movement.make(battle, fighter, kind)
                outcome = one if one != "held" else outcome
        return "done" if kind == "dodge" and outcome == "held" else outcome

    return do


def _attack(kind: str, force: bool = False) -> Callable[[Battle, list[Fighter]], Script[str]]:
    def do(battle: Battle, group: list[Fighter]) -> Script[str]:
        return (yield from assault.declare(battle, group, kind, force=force))

    return do


def _forced_run(battle: Battle, group: list[Fighter]) -> Script[str]:
    """ades:5.3.2.5  A run through enemies."""
    (fighter,) = group
    through = tuple(f.id for f in battle.enemies(fighter))
    way = movement.way_for(battle, fighter, "run", through)
    step = yield from movement.ask(battle, fighter, way)
    if step is None:
        return "held"
    return (yield from forcing.through(battle, step, way))


def _disengage(battle: Battle, group: list[Fighter]) -> Script[str]:
    """ades:4.2.4.1-disengage, 4.2.4.1-disengage-result  A contest, then a walk through those one leaves."""
    (fighter,) = group
    foes = tuple(f.id for f in battle.foes_of(fighter))
    if not (yield from disengage.away(battle, fighter)):
        return "done" if fighter.alive else "dead"
    outcome = yield from movement.make(battle, fighter, "disengage", foes)
    return "done" if outcome == "held" else outcome


def _disengage_assault(battle: Battle, group: list[Fighter]) -> Script[str]:
    """ades:4.2.4.2-disengage-assault  The same contest, then an engagement of MOU."""
    (fighter,) = group
    if not (yield from disengage.away(battle, fighter)):
        return "done" if fighter.alive else "dead"
    outcome = yield from assault.declare(battle, [fighter], "disengage-assault")
    return "done" if outcome in ("held", "none") else outcome


def _harassing(battle: Battle, group: list[Fighter]) -> Script[str]:
    """ades:13.2-harcelement  A run, with a shot before it has gone further than MOU."""
    (fighter,) = group
    way = movement.way_for(battle, fighter, "run")
    step = yield from movement.ask(battle, fighter, way)
    if step is None:
        return "held"
    most = min(step.length / cm(1), stats.value(battle, fighter, "MOU"))
    at = yield Number(
        fighter.seat, "harass.when", 0, int(most * 2) / 2, step=0.5, rule="ades:13.2-harcelement", about=(fighter.id,)
    )
    first = step._replace(path=tuple(ground.along(step.path, cm(at))), cost=cm(at))
    if not ground.stands(battle, fighter, Pose(*first.path[-1], step.facing, step.level)):
        first = first._replace(path=step.path[:1], cost=0.0)
        at = 0
    if at:
        outcome = yield from movement.travel(battle, first, way)
        if outcome != "done":
            return outcome
    yield from shooting.shoot(battle, [fighter])
    if not fighter.alive:
        return "dead"
    from grognard.games.ades.reactions import remaining

    rest = remaining(step, cm(at))
    if len(rest.path) < 2 or not battle.free(fighter):
        return "done"
    return (yield from movement.travel(battle, movement.trimmed(battle, rest, way), way, react=at == 0))


def _alone(do: Callable[[Battle, Fighter], Script[str]]) -> Callable[[Battle, list[Fighter]], Script[str]]:
    def run(battle: Battle, group: list[Fighter]) -> Script[str]:
        return (yield from do(battle, group[0]))

    return run


def _volley(battle: Battle, group: list[Fighter]) -> Script[str]:
    return (yield from shooting.shoot(battle, group))


def _aimed(battle: Battle, group: list[Fighter]) -> Script[str]:
    return (yield from shooting.shoot(battle, group, aimed=True))


DO: dict[str, Callable[[Battle, list[Fighter]], Script[str]]] = {
    "walk": _move("walk"),
    "run": _move("run"),
    "dodge": _move("dodge"),
    "charge": _attack("charge"),
    "engage": _attack("engage"),
    "disengage": _disengage,
    "disengage-assault": _disengage_assault,
    "shoot": _volley,
    "aim": _aimed,
    "artillery": _alone(artillery.shot),
    "harass": _harassing,
    "force-run": _forced_run,
    "force-charge": _attack("charge", True),
    "force-engage": _attack("engage", True),
    "cast": _alone(casting.cast),
    "seize": _alone(tokens.seize),
    "seize-complex": _alone(tokens.seize),
    "trap": _alone(devices.lay),
    "breath": _alone(devices.breathe),
    "steam": _alone(devices.steam),
    "spend": _alone(devices.spend),
    "drop": _alone(tokens.drop),
    "nexus": _alone(nexus.activate),
    "gift": _alone(powers.give),
    "cry": _alone(powers.cry),
    "power": _alone(powers.use),
    "fire-machine": _alone(machines.fire),
    "move-machine": _alone(machines.move),
    "disembark": _alone(transports.disembark),
}
