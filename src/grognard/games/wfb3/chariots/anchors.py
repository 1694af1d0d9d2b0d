"""Chapter 7.2.3: who cannot leave the spot, whatever comes: no flight is open to him, in order or in rout."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.chariots import chariots
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.records import FROZEN
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.table import crews
from grognard.kernel.errors import Refusal


def anchored(battle: Battle, unit: Unit) -> Refusal | None:
    """wfb3:5.7.3-square, wfb3:17.3-defence, wfb3:18.6-death-crew, wfb3:22.1.6-no-pursuit, wfb3:3.1-zero
    Why a unit cannot flee a charge.

    It may still shoot at those who come, where nothing else forbids it.
    """
    stays = unit.march.frozen >= battle.clock and unit.march.frozen_why in ("crew", "reform")
    for held, code, rule in (
        (unit.drill.formation == "square", "square", "wfb3:5.7.3-square"),
        (bool(unit.baggage.defends), "garrison", "wfb3:17.3-defence"),
        (stays, unit.march.frozen_why, FROZEN.get(unit.march.frozen_why, "")),
        (stats.rooted(unit), "rooted", "wfb3:3.1-zero"),
        (bool(fixed(battle, unit)), "stuck", fixed(battle, unit)),
        (bool(helpless(battle, unit)), "helpless", helpless(battle, unit)),
    ):
        if held:
            return Refusal(f"refuse.answer.{code}", rule, {"unit": unit.id})
    return None


def fixed(battle: Battle, unit: Unit) -> str:
    """wfb3:20.8.1-damage-table, wfb3:20.9-unhitch
    The rule by which a unit's cars cannot be moved from where they stand.

    Ruling: chariots of which one cannot move stay together, routed or not; who is routed there does not run.
    """
    if unit.kind != "chariot" or not chariots.rooted(battle, unit):
        return ""
    return "wfb3:20.8.1-damage-table" if unit.chariot.hitched else "wfb3:20.9-unhitch"


def helpless(battle: Battle, unit: Unit) -> str:
    """wfb3:18.5-amok-crew, wfb3:20.8.1-damage-table, wfb3:20.8.3-runaway
    The rule by which nobody steers beasts or cars."""
    if unit.kind not in crews.CARRIERS:
        return ""
    return next((rule for carrier in battle.members(unit) if (rule := crews.idle(battle, carrier))), "")
