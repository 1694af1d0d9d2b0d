"""Which modules are changed: the steps, casualties, saves, results and psychology of every game."""

from __future__ import annotations

ROOMS: dict[str, tuple[str, ...]] = {
    "nemesis": (
        "rolls.steps",
        "losses.casualties",
        "losses.courage",
        "melee.melee",
        "table.engagements",
        "engage.charges",
        "engage.reactions",
        "shooting.shooting",
        "shooting.shot_numbers",
        "disengage.disengage",
        "disengage.pursuit_line",
        "rolls.stats",
        "rolls.rerolls",
        "rolls.fearless",
    ),
    "ades": (
        "rolls.steps",
        "losses.casualties",
        "losses.damage",
        "rolls.tests",
        "losses.fear",
        "movement.flight",
        "combat.melee",
        "mystics.recovery",
    ),
    "wh40k": (
        "rolls.rerolls",
        "rolls.steps",
        "rolls.toughness",
        "attacks.allocation",
        "attacks.casualties",
        "attacks.saves",
        "attacks.attacks",
        "attacks.hazards",
        "command.command",
    ),
    "t9a": (
        "rolls.steps",
        "losses.casualties",
        "losses.attacks",
        "melee.striking",
        "melee.break_tests",
        "losses.psychology",
        "movement.rallying",
    ),
    "wfb3": (
        "rolls.steps",
        "combat.casualties",
        "rolls.saves",
        "combat.sourceless_hits",
        "combat.results",
        "rout.rout",
        "rout.rally",
        "psychology.panic",
        "psychology.fear",
    ),
}


def modules(game: str, only: str = "") -> list[str]:
    """Modules by their dotted name under `grognard`; `only`: some of them, or others of the game."""
    names = [name.strip() for name in only.split(",") if name.strip()] or list(ROOMS[game])
    return [f"games.{game}.{name}" for name in names]
