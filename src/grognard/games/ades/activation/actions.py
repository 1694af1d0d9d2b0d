"""ades:4.2.2-actions  What an activated fighter may do: one exclusive action or several cumulative, and free ones."""

from __future__ import annotations

from functools import partial

from grognard.games.ades.activation import action_notes
from grognard.games.ades.activation.action_scripts import DO
from grognard.games.ades.activation.closed_actions import ActPick as Pick
from grognard.games.ades.activation.open_actions import OPEN, possible
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, ACTIVE, EXCLUSIVE, WAITING, Fighter
from grognard.games.ades.machines import transports
from grognard.games.ades.movement import answers, flight
from grognard.games.ades.scenarios import tokens
from grognard.games.ades.table import hidden
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Later, Note, Option, Script, option

ECONOMY = "ades:4.2.2-actions"
CUMULATIVE = ("walk", "disengage", "shoot", "artillery", "cast", "seize", "trap", "breath", "power-cumulative")
FREE = ("steam", "drop", "nexus", "gift", "cry", "power", "spend", "disembark")
ASSAULTS = ("engage", "charge", "disengage-assault", "force-charge", "force-engage")
MYSTIC_WITH = (*ASSAULTS, "run", "force-run", "shoot", "aim", "artillery")
TOGETHER = ("walk", "run", "dodge", "engage", "charge", "shoot", "aim")
MOVES = ("walk", "run", "dodge", "disengage", *ASSAULTS, "force-run", "harass")
#: The rule of each action, named where it does not go with another.
ACTION_RULES = {
    "walk": "ades:4.2.4.1-walk", "run": "ades:4.2.4.1-run", "dodge": "ades:4.2.4.1-dodge",
    "disengage": "ades:4.2.4.1-disengage", "engage": "ades:4.2.4.2-engage", "charge": "ades:4.2.4.2-charge",
    "disengage-assault": "ades:4.2.4.2-disengage-assault", "shoot": "ades:4.2.5.5-shot",
    "artillery": "ades:4.2.5.5-artillery", "aim": "ades:4.2.5.5-aimed", "harass": "ades:13.2-harcelement",
    "seize": "ades:9.2.2-seize", "seize-complex": "ades:9.2.2-complex", "trap": "ades:13.2-poseur-de-pieges",
    "breath": "ades:13.1-souffle", "fire-machine": "ades:10.3-fire", "move-machine": "ades:10.4",
    "force-run": "ades:5.3.2.5", "force-charge": "ades:5.3.2.5", "force-engage": "ades:5.3.2.5",
}  # fmt: skip
#: ades:5.3.2.4-react  Actions the vigilant may forestall; moves, shots and formulas ask them themselves.
WATCHED = (
    "seize", "seize-complex", "breath", "trap", "move-machine", "power", "nexus", "gift", "cry", "drop", "disembark",
)  # fmt: skip
#: ades:13.2-eclaireur-reveal  Actions that do not give a hidden scout away.
QUIET = ("walk", "run", "trap")


def activate(battle: Battle, group: list[Fighter], *, checkpoint: bool = True, only_move: bool = False) -> Script[None]:
    """ades:4.2.2-card, ades:4.2.2-group  Activate one fighter or several together."""
    begin(battle, group)
    yield from loop(battle, group, checkpoint=checkpoint, only_move=only_move)
    yield from end(battle, group)


@cites
def begin(battle: Battle, group: list[Fighter]) -> None:
    """ades:4.1.3-fighter-state, ades:4.1.3-roles  The fighters are active now."""
    for fighter in group:
        fighter.state = ACTIVE
        if fighter.stance.dodging:
            fighter.stance = fighter.stance.but(dodging=False)
            battle.cite("ades:4.2.4.1-dodge")
        fighter.stance = fighter.stance.but(vigilant=False)
        fighter.new_activation()
        if fighter.summons.summoner:
            battle.cite("ades:8.10-activation")
    rule = "ades:4.2.2-group" if len(group) > 1 else "ades:4.2.2-card"
    battle.tell("activated", rule, tuple(f.id for f in group), who=[f.id for f in group])


def end(battle: Battle, group: list[Fighter]) -> Script[None]:
    """ades:4.1.3-fighter-state  Done: they are activated; what was promised for the end of an activation happens."""
    for fighter in group:
        if not fighter.alive:
            continue
        if fighter.stance.speed and not battle.free(fighter):
            fighter.stance = fighter.stance.but(speed=False)
            battle.tell("speed.lost", "ades:13.2.1-irrepressible", (fighter.id,))
        if fighter.on_table:
            yield from tokens.offer_drop(battle, fighter, "end")
        settle_state(battle, fighter)
        yield from transports.offer(battle, fighter)


def settle_state(battle: Battle, fighter: Fighter) -> None:
    """ades:4.1.3-fighter-state, ades:11.3-activated  Activated; a titan only when all its cards have been played."""
    fighter.state = ACTIVATED
    if fighter.profile.titan:
        fighter.round = fighter.round.but(played=(*fighter.round.played, "reference"))
        left = [
            p.name
            for p in fighter.profile.capabilities
            if p.name not in (*fighter.round.played, *fighter.powers.neutralised)
        ]
        if left:
            fighter.state = WAITING
            battle.cite("ades:11.3-activated")


def loop(battle: Battle, group: list[Fighter], *, checkpoint: bool, only_move: bool = False) -> Script[None]:
    """One action after another, until there is nothing left to do or the player has done enough."""
    while True:
        group = [f for f in group if f.alive and f.on_table and f.state == ACTIVE]
        if not group:
            return
        for fighter in [f for f in group if f.fear.routed and not f.activation.done]:
            yield from flight.rout_run(battle, fighter)
            fighter.activation = fighter.activation.but(
                done=(*fighter.activation.done, "rout")
            )  # so that whoever begins here again does not run again
        group = [f for f in group if not f.fear.routed]
        if not group:
            return
        options, barred = choices(battle, group)
        if only_move:
            options = [o for o in options if o.key in MOVES]
        because = ("ades:4.2.2-group",) if len(group) > 1 else ("ades:5.3.2.4-react",) if only_move else ()
        chosen = yield Pick(
            battle.chooser(group[0]), "act", [*options, option("end", text="act.end")], barred=barred, rule=ECONOMY,
            about=tuple(f.id for f in group), checkpoint=checkpoint, because=because,
            data={"who": [f.id for f in group]},
        )  # fmt: skip
        if chosen == "end":
            return
        if (yield from perform(battle, group, chosen)) == "over":
            return


def perform(battle: Battle, group: list[Fighter], kind: str) -> Script[str]:
    """ades:4.2.2-actions, ades:5.3.2.4-react  One action; "over" when it ends the activation.

    Ruling: an action given up before anything was spent, rolled or answered by an enemy has not been taken; it may be
    chosen again.
    """
    outcome, watched = "done", False
    if kind in WATCHED:
        prevented, watched = yield from _watched(battle, group, kind)
        if not prevented:
            outcome = yield from DO[kind](battle, group)
    else:
        outcome = yield from DO[kind](battle, group)
    if outcome == "held" and not watched:
        return outcome
    tried = outcome in ("held", "none")
    for fighter in group:
        fighter.activation = fighter.activation.but(done=(*fighter.activation.done, f"no-{kind}" if tried else kind))
        if tried or not fighter.alive or not fighter.hidden:
            continue
        battle.cite("ades:13.2-eclaireur-reveal")
        if kind not in QUIET:
            hidden.reveal(battle, fighter)
    return "over" if outcome in ("afraid", "forced-stop", "dead") else outcome


def _watched(battle: Battle, group: list[Fighter], kind: str) -> Script[tuple[bool, bool]]:
    """ades:5.3.2.4-react  Vigilant enemies may act before an action is done; whether it cannot be done any more then,
    and whether anybody tried.
    """
    doing = Note("note.announced-act", {"who": [f.id for f in group], "action": f"act.{kind}"}, "ades:4.2.2-actions")
    tried = yield from answers.vigilance(battle, group[0], (doing,))
    return not group[0].alive or possible(battle, group, kind) is not None, bool(tried)


# ---------------------------------------------------------------------- what is open


def choices(battle: Battle, group: list[Fighter]) -> tuple[list[Option], dict[str, Refusal]]:
    """The actions open to all of a group, and why not the others."""
    kinds = [kind for kind in OPEN if len(group) == 1 or kind in TOGETHER]
    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    for kind in kinds:
        if any(f"no-{kind}" in f.activation.done for f in group):
            continue
        refusal = next((r for f in group if (r := economy(battle, f, kind)) is not None), None)
        if refusal is None:
            refusal = possible(battle, group, kind)
        if refusal is None:
            told = Later(battle, partial(action_notes.action, battle, group, kind, nature(kind)))
            found.append(option(kind, text=f"act.{kind}", notes=told))
        elif refusal.code:
            barred[kind] = refusal
    return found, barred


def nature(kind: str) -> str:
    """ades:4.2.2-actions  Whether an action is exclusive, cumulative or free; an ability says so itself."""
    return "exclusive" if kind in EXCLUSIVE else "cumulative" if kind in CUMULATIVE else "free"


def economy(battle: Battle, fighter: Fighter, kind: str) -> Refusal | None:
    """ades:4.2.2-actions, ades:8.9-combine, ades:4.2.6  Whether an action may still be combined with those done."""
    facts = {"fighter": fighter.id, "action": f"act.{kind}"}
    own = (ACTION_RULES[kind],) if kind in ACTION_RULES else ()
    if fighter.round.returned and kind not in ("walk", "spend"):
        return Refusal("refuse.returned", "ades:13.2-renfort-return", facts, ("ades:13.2-renfort",))
    if kind in FREE:
        return None
    done = [d for d in fighter.activation.done if d in EXCLUSIVE or d in CUMULATIVE]
    both = battle.has(fighter, "mystique-guerrier")
    if "reload" in fighter.activation.done:
        return Refusal("refuse.reloaded", "ades:13.2-rechargement-rapide", facts, (ECONOMY,))
    if done and done[0] == "artillery":
        return Refusal("refuse.artillery-first", "ades:4.2.5.5-destabilised", facts, (ECONOMY, *own))
    if kind in EXCLUSIVE:
        rest = [d for d in done if not (both and d == "cast" and kind in MYSTIC_WITH)]
        if done and not rest:
            battle.cite("ades:8.9-combine")
        return Refusal("refuse.exclusive", ECONOMY, facts, own) if rest else None
    if kind == "cast":
        return _mystic(battle, done, both, facts)
    if any(d in EXCLUSIVE for d in done):
        return Refusal("refuse.exclusive-done", ECONOMY, facts, own)
    if kind in done:
        return Refusal("refuse.twice", ECONOMY, facts, own)
    if {kind, *done} >= {"walk", "disengage"}:
        return Refusal("refuse.walk-disengage", ECONOMY, facts, own)
    if kind in ("shoot", "artillery") and "cast" in done and not both:
        return Refusal("refuse.shot-and-formula", "ades:4.2.6", facts, ("ades:4.2.5.5-shot", ECONOMY))
    return None


def _mystic(battle: Battle, done: list[str], both: bool, facts: dict[str, str]) -> Refusal | None:
    """ades:4.2.6, ades:8.9-combine
    Formulas go with cumulative actions but shots; with most others for warrior-mystics."""
    hard = [d for d in done if d in EXCLUSIVE or d in ("shoot", "artillery")]
    if not hard:
        return None
    if both and all(d in MYSTIC_WITH for d in hard):
        battle.cite("ades:8.9-combine")
        return None
    if hard[0] in ("shoot", "artillery"):
        return Refusal("refuse.shot-and-formula", "ades:4.2.6", facts, ("ades:4.2.5.5-shot", ECONOMY))
    return Refusal("refuse.exclusive-done", ECONOMY, facts, ("ades:4.2.6",))
