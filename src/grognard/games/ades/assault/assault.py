"""Chapter 4.2.4.2  Assaults: charges and engagements, by one fighter or a group, on one target or several."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.ades.assault import contact as arrival
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVE, Fighter
from grognard.games.ades.losses import fear
from grognard.games.ades.movement import answers, movement
from grognard.games.ades.movement.moves import MoveJudge, Step
from grognard.games.ades.rolls import stats
from grognard.games.ades.table import ground, hidden, sight, suggestions
from grognard.games.ades.table.ground import Way
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import MM_PER_CM, cm
from grognard.kernel.questions import Pick, Place, Script, option

SPEED = "ades:13.2.1-irrepressible"
GROUP = "ades:4.2.2-group"
#: How many places are tried to find one for everybody of a group.
TRIES = 60
RULES = {
    "charge": "ades:4.2.4.2-charge",
    "engage": "ades:4.2.4.2-engage",
    "disengage-assault": "ades:4.2.4.2-disengage-assault",
    "pursuit": "ades:4.3.4.3-pursuit",
}


def way(
    battle: Battle, fighter: Fighter, kind: str, contact: tuple[str, ...] = (), through: tuple[str, ...] = (),
    potential: tuple[tuple[int, float], ...] | None = None,
) -> Way:  # fmt: skip
    """ades:4.2.4.2-charge, ades:4.2.4.2-engage, ades:13.2-rapidite
    How an assault moves: 2 x MOU (a swift charge 3 x)."""
    times = 2.0
    if kind == "charge" and battle.uses(fighter, "rapidite"):
        times = 3.0
    if kind == "disengage-assault":
        times = 1.0
    reach = movement.budgets(battle, fighter, times) if potential is None else potential
    leaps, leap = movement.leaping(battle, fighter, kind == "pursuit")
    turns = fighter.profile.poi if fighter.profile.engine else 0.0
    return Way(
        kind, RULES[kind], reach, contact, through, view=kind == "charge", leaps=leaps, leap=leap, turns=turns,
        any_foe=not contact,
    )  # fmt: skip


def reaches(
    battle: Battle, fighter: Fighter, target: Fighter, kind: str, through: tuple[str, ...] = (),
    potential: tuple[tuple[int, float], ...] | None = None,
) -> bool:  # fmt: skip
    """ades:4.2.4.2-infeasible  Whether a fighter can come into contact with a target by this assault."""
    return unreached(battle, fighter, target, kind, through, potential) is None


def unreached(
    battle: Battle, fighter: Fighter, target: Fighter, kind: str, through: tuple[str, ...] = (),
    potential: tuple[tuple[int, float], ...] | None = None,
) -> Refusal | None:  # fmt: skip
    """ades:4.2.4.2-infeasible, ades:13.2.1-rempart, ades:13.2.1-irrepressible-effects
    Why a fighter cannot come into contact."""
    goes = way(battle, fighter, kind, (target.id,), through, potential)
    judge = MoveJudge(battle, fighter, goes)
    if suggestions.reachable(battle, fighter, target, judge, 1):
        return None
    facts = {"target": target.id, "fighter": fighter.id}
    rules: tuple[str, ...] = ("ades:4.2.4.2-infeasible", RULES[kind], "ades:1.1.16")
    if judge.why is not None and judge.why.code in ("refuse.rampart", "refuse.too-weak"):
        return Refusal(judge.why.code, judge.why.rule, {**judge.why.data, **facts}, (*judge.why.also, *rules))
    if battle.pose(target).level not in dict(goes.budgets):
        rules = (*rules, "ades:7.3", "ades:7.2", "ades:1.1.13-contact")
    return Refusal("refuse.out-of-reach", rules[0], facts, rules[1:])


def crow(battle: Battle, fighter: Fighter, kind: str) -> float:
    """How far an assault can lead at most, as the crow flies, in mm."""
    mou = max(stats.value(battle, fighter, "MOU"), fighter.profile.air)
    return cm(mou) * (1 if kind == "disengage-assault" else 3 if kind == "charge" else 2)


def too_far(
    battle: Battle, fighter: Fighter, target: Fighter, kind: str,
    potential: tuple[tuple[int, float], ...] | None = None,
) -> bool:  # fmt: skip
    """Whether a target is out of reach as the crow flies, which is quick to tell."""
    far = crow(battle, fighter, kind) if potential is None else max(reach for _, reach in potential)
    return battle.gap(fighter, target) > far + 1.0


def targets(
    battle: Battle, group: Sequence[Fighter], kind: str, through: tuple[str, ...] = (),
    potential: tuple[tuple[int, float], ...] | None = None,
) -> tuple[list[Fighter], dict[str, Refusal]]:  # fmt: skip
    """Whom the whole group can assault, and why not the others."""
    found: list[Fighter] = []
    barred: dict[str, Refusal] = {}
    for target in battle.enemies(group[0]):
        refusal = _refused(battle, group, target, kind, through, potential)
        if refusal is None:
            found.append(target)
        else:
            barred[target.id] = refusal
    return found, barred


def _refused(
    battle: Battle, group: Sequence[Fighter], target: Fighter, kind: str, through: tuple[str, ...],
    potential: tuple[tuple[int, float], ...] | None,
) -> Refusal | None:  # fmt: skip
    facts = {"target": target.id, "fighter": group[0].id}
    if target.hidden:
        return Refusal("refuse.hidden", "ades:13.2-eclaireur-hidden", facts)
    for fighter in group:
        if too_far(battle, fighter, target, kind, potential):
            return Refusal("refuse.out-of-reach", "ades:4.2.4.2-infeasible", facts, (RULES[kind], "ades:1.1.16"))
        if kind == "charge" and not sight.sees(battle, fighter, target):
            return Refusal("refuse.unseen", RULES[kind], facts | {"other": target.id}, sight.UNSEEN)
        if target.stance.speed and stats.value(battle, fighter, "FOR") < stats.value(battle, target, "RES"):
            return Refusal(
                "refuse.too-weak", "ades:13.2.1-irrepressible-effects", facts | {"other": target.id}, (SPEED,)
            )
        refusal = unreached(battle, fighter, target, kind, through, potential)
        if refusal is not None:
            return refusal
    if len(group) > 1 and not together(battle, ways_of(battle, group, target, kind, through), target):
        return Refusal("refuse.no-room-for-all", GROUP, facts, ("ades:4.2.4.2-infeasible", RULES[kind]))
    return None


# ---------------------------------------------------------------------- a group on one target


def ways_of(
    battle: Battle, group: Sequence[Fighter], target: Fighter, kind: str, through: tuple[str, ...] = (),
    potential: tuple[tuple[int, float], ...] | None = None,
) -> list[tuple[Fighter, Way]]:  # fmt: skip
    """ades:4.2.2-group  How each of them goes. They set out at once: what one sees is not hidden by those who went."""
    found = []
    for fighter in group:
        goes = way(battle, fighter, kind, (target.id,), through, potential)
        if goes.view and len(group) > 1:
            seen = tuple(f.id for f in battle.enemies(fighter) if sight.sees(battle, fighter, f))
            goes = msgspec.structs.replace(goes, seen=seen)
        found.append((fighter, goes))
    return found


def together(battle: Battle, ways: Sequence[tuple[Fighter, Way]], target: Fighter) -> bool:
    """ades:4.2.2-group  Whether all of a group find a place beside the one target they must all assault."""
    twin = battle.copy()
    return _fits(twin, [(twin.fighters[f.id], goes) for f, goes in ways], twin.fighters[target.id], [TRIES])


def _fits(battle: Battle, ways: list[tuple[Fighter, Way]], target: Fighter, tries: list[int]) -> bool:
    """One after another; where somebody finds no place those before it try others."""
    if not ways:
        return True
    (first, goes), rest = ways[0], ways[1:]
    judge, start = MoveJudge(battle, first, goes), battle.pose(first)
    for path, facing, level in suggestions.into_contact(battle, first, target, judge):
        tries[0] -= 1
        if not rest:
            return True
        battle.put(first, Pose(*path[-1], start.facing if facing is None else facing, level))
        if _fits(battle, rest, target, tries):
            return True
        battle.put(first, start)
        if tries[0] <= 0:
            break
    return False


class GroupJudge(MoveJudge):
    """ades:4.2.2-group  One of a group comes into contact; those after it must find a place beside the target, too."""

    def __init__(
        self, battle: Battle, mover: Fighter, goes: Way, rest: Sequence[tuple[Fighter, Way]], target: Fighter
    ) -> None:
        super().__init__(battle, mover, goes)
        self.rest = rest
        self.target = target

    def check_end(self, step: Step) -> None:
        super().check_end(step)
        twin = self.battle.copy()
        twin.put(twin.fighters[self.mover.id], step.end)
        if not together(twin, self.rest, self.target):
            others = [f.id for f, _ in self.rest]
            raise self.refuse("refuse.no-room-left", GROUP, target=self.target.id, others=others)


# ---------------------------------------------------------------------- an assault


def declare(
    battle: Battle, group: list[Fighter], kind: str, *, force: bool = False, tried: Sequence[str] | None = None
) -> Script[str]:
    """ades:4.2.4.2-charge, ades:4.2.4.2-engage, ades:4.2.2-group  The target, each fighter's way, then the assault.

    `tried`: the vigilant who have answered its announcement already.
    """
    through = tuple(f.id for f in battle.enemies(group[0])) if force else ()
    if kind == "disengage-assault":
        through = tuple(f.id for f in battle.foes_of(group[0]))
    found, barred = targets(battle, group, kind, through)
    if not found:
        return "none"
    target: Fighter | None = yield Pick(
        battle.chooser(group[0]), "assault.target", [option(f.id, f, about=(f.id,)) for f in found],
        optional=kind != "disengage-assault", barred=barred, rule=RULES[kind], about=tuple(f.id for f in group),
        data={"kind": f"move.{kind}", "who": [f.id for f in group]},
    )  # fmt: skip
    if target is None:
        return "held"
    battle.cite("ades:4.2.4.2-infeasible")
    return (yield from upon(battle, group, kind, target, through, force=force, tried=tried))


def upon(
    battle: Battle, group: list[Fighter], kind: str, target: Fighter, through: tuple[str, ...] = (), *,
    force: bool = False, potential: tuple[tuple[int, float], ...] | None = None, reaction: bool = False,
    carried: arrival.Carried = arrival.AFRESH, tried: Sequence[str] | None = None,
) -> Script[str]:  # fmt: skip
    """An assault on a target: ways, fear, moves, and what happens on arrival."""
    planned: list[tuple[Step, Way]] = []
    starts = [(fighter, battle.pose(fighter)) for fighter in group]
    ways = ways_of(battle, group, target, kind, through, potential)
    for number, (fighter, goes) in enumerate(ways, 1):
        step = yield from _ask(battle, fighter, goes, target, ways[number:])
        if step is None:
            break
        planned.append((step._replace(gone=carried.gone), goes))
        if len(group) > 1:
            battle.put(fighter, step.end)  # so that the others of the group leave it its place
    if len(group) > 1:
        for fighter, pose in starts:
            battle.put(fighter, pose)
    if len(planned) < len(group):
        return "none"
    return (yield from carry_out(battle, planned, kind, force=force, reaction=reaction, carried=carried, tried=tried))


def _ask(
    battle: Battle, fighter: Fighter, goes: Way, target: Fighter, rest: Sequence[tuple[Fighter, Way]]
) -> Script[Step | None]:
    """Where one comes into contact; None where it cannot. `rest`: those of its group who follow."""
    judge = GroupJudge(battle, fighter, goes, rest, target) if rest else MoveJudge(battle, fighter, goes)
    ways = suggestions.reachable(battle, fighter, target, judge, 1)
    if not ways:
        return None
    if fighter.seat not in battle.seats:
        return judge.decode(judge.wire(*ways[0]))
    step: Step = yield Place(
        battle.chooser(fighter), "assault.way", (fighter.id,), judge, rule=goes.rule, about=(fighter.id, target.id),
        data={"kind": f"move.{goes.kind}", "cm": round(goes.budget(battle.pose(target).level) / MM_PER_CM, 2)},
    )  # fmt: skip
    return step


def carry_out(
    battle: Battle, planned: list[tuple[Step, Way]], kind: str, *, force: bool = False, reaction: bool = False,
    carried: arrival.Carried = arrival.AFRESH, tried: Sequence[str] | None = None,
) -> Script[str]:  # fmt: skip
    """ades:5.3.2.4-react, ades:6.1-trigger, ades:4.2.4.2-multiple, ades:13.2-tir-dassaut-intercepted
    Announced, then the vigilant, fear, moves and arrival."""
    _tell(battle, planned, kind)
    asked: dict[str, Sequence[str]] = {step.fighter.id: tried or () for step, _ in planned}
    for step, goes in planned if not reaction and tried is None else ():
        if not answers.hindered(battle, step.fighter, goes):
            asked[step.fighter.id] = yield from answers.declared(battle, step, goes)
    ready = [(step, goes) for step, goes in planned if not answers.hindered(battle, step.fighter, goes)]
    if len(ready) < len(planned):
        battle.cite("ades:13.2-tir-dassaut-intercepted")
    met = [(step.fighter, ground.touched(battle, step.fighter, step.end)) for step, _ in ready]
    seen = arrival.views(battle, [step.fighter for step, _ in ready], _struck(battle, met))
    before = {f.id: (battle.pose(f).level, f.stance.speed, battle.free(f)) for f, _ in met}
    bold, fleeing, ended = yield from _fears(battle, ready, kind, met)
    arrived: list[arrival.Arrived] = []
    for step, goes in bold:
        known = asked[step.fighter.id]
        outcome = yield from (
            answers.through(battle, step, goes, known) if force
            else movement.travel(battle, step, goes, react=not reaction, tried=known)
        )  # fmt: skip
        if outcome == "done":
            if step.fighter.assault.assaulted and battle.has(step.fighter, "tir-dassaut"):
                battle.cite("ades:13.2-tir-dassaut-intercepted")
            level, fast, free = before[step.fighter.id]
            left = max(0.0, goes.budget(step.level) - step.cost)
            down = step.level == level - 1
            if down:
                battle.cite("ades:7.4.1")
            arrived.append(arrival.Arrived(step.fighter, step, left, down and kind == "charge", fast, free))
        elif outcome == "stopped":
            battle.cite("ades:13.2-tir-dassaut-intercepted")
        elif outcome == "forced-stop":
            ended = outcome
    if arrived:
        yield from arrival.settle(battle, arrived, kind, seen, fleeing, carried)
        return "done"
    return ended


def _tell(battle: Battle, planned: list[tuple[Step, Way]], kind: str) -> None:
    """An assault is announced."""
    group = [step.fighter for step, _ in planned]
    struck = _struck(battle, [(step.fighter, ground.touched(battle, step.fighter, step.end)) for step, _ in planned])
    battle.tell(
        "assault", RULES[kind], (group[0].id, *(f.id for f in struck), *(f.id for f in group[1:])), move=f"move.{kind}",
        who=[f.id for f in group], targets=[f.id for f in struck],
    )  # fmt: skip


Met = list[tuple[Fighter, list[Fighter]]]


def _struck(battle: Battle, met: Met) -> list[Fighter]:
    return [f for f in battle.on_table() if any(f in foes for _, foes in met)]


def _fears(
    battle: Battle, ready: list[tuple[Step, Way]], kind: str, met: Met
) -> Script[tuple[list[tuple[Step, Way]], list[fear.Flight], str]]:
    """ades:6.1-trigger, ades:13.2-eclaireur-hidden
    Fear before anybody moves: who goes, who will flee, and how it ends if
    nobody goes. `met`: whom each of those who are ready will touch.

    Ruling: a hidden assailant sees whom it assaults, and fears it like any other.
    """
    fleeing = yield from fear.against_targets(battle, met, _struck(battle, met), kind == "charge")
    bold, ended = [], "done"
    for (step, goes), (fighter, foes) in zip(ready, met, strict=True):
        if (yield from fear.against_assailant(battle, fighter, foes)):
            bold.append((step, goes))
        else:
            ended = "afraid"
    return bold, fleeing, ended


def intercept(battle: Battle, who: Fighter, actor: Fighter, gone: float) -> Script[None]:
    """ades:5.3.2.3-result, ades:13.2-eclaireur-reveal, ades:13.2.1-impact-interceptor
    The interceptor charges the actor where it stands, as any charge.

    `gone`: how far the actor has come, in mm.
    """
    who.state = ACTIVE
    yield from upon(battle, [who], "charge", actor, reaction=True)
    hidden.reveal(battle, who)
    if who.alive and actor.alive and battle.has(actor, "impact") and actor in battle.foes_of(who):
        force = arrival.weight(battle, actor, gone, actor.stance.speed)
        yield from arrival.impact(battle, actor, [who], force, "ades:13.2.1-impact-interceptor")


@arrival.go_on.here
def go_on(battle: Battle, one: arrival.Arrived, rule: str, impact: int = 0) -> Script[None]:
    """Whoever has nobody left in front of it may go on with what is left of its move; an assault is an engagement.

    It is announced like any move, so the enemy may answer it. `impact`: the FOR of the Impact that cleared its way.
    """
    fighter = one.fighter
    if not fighter.alive or one.left < arrival.LEAST:
        return
    potential = ((battle.pose(fighter).level, one.left),)
    found, barred = targets(battle, [fighter], "engage", (), potential)
    options = [option("stop", text="option.stop"), option("run", text="option.go-on")]
    options += [option(f"engage:{f.id}", f, text="option.engage", about=(f.id,), data={"target": f.id}) for f in found]
    chosen = yield Pick(
        battle.chooser(fighter), "assault.continue", options, rule=rule, about=(fighter.id,),
        data={"cm": round(one.left / cm(1), 2)}, barred={f"engage:{k}": r for k, r in barred.items()},
    )  # fmt: skip
    if chosen == "stop":
        return
    if isinstance(chosen, Fighter):
        carried = arrival.Carried(impact, one.step.whole)
        yield from upon(battle, [fighter], "engage", chosen, potential=potential, carried=carried)
        return
    leaps, leap = movement.leaping(battle, fighter)
    turns = fighter.profile.poi if fighter.profile.engine else 0.0
    way = ground.Way("run", rule, potential, leaps=leaps, leap=leap, turns=turns)
    step = yield from movement.ask(battle, fighter, way)
    if step is not None:
        yield from movement.travel(battle, step._replace(gone=one.step.whole), way)
