"""wh40k:13.2.9-go-to-ground, wh40k:13.2.10-smokescreen  What the target's player may answer to being shot at."""

from __future__ import annotations

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.command.stratagems import CANNOT
from grognard.games.wh40k.forces import Unit
from grognard.games.wh40k.shooting.targeting import Shots
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Note, Pick, Script, option


def _aimed(shots: Shots) -> dict[str, list[Note]]:
    """By target with how many of which weapons it is shot at."""
    found: dict[str, dict[str, int]] = {}
    for gun, target in shots:
        weapons = found.setdefault(target.id, {})
        weapons[gun.weapon.name] = weapons.get(gun.weapon.name, 0) + 1
    return {
        target: [
            Note("note.aimed", {"number": number, "weapon": weapon, "target": target}, "wh40k:6.3.1-targets-first")
            for weapon, number in weapons.items()
        ]
        for target, weapons in found.items()
    }


def offer(battle: Battle, unit: Unit, shots: Shots) -> Script[None]:
    """wh40k:13.2.9-go-to-ground, wh40k:13.2.10-smokescreen, wh40k:23.26-go-to-ground-window
    The target's player may answer."""
    if battle.phase != "shooting" or battle.active != unit.seat:
        battle.cite("wh40k:23.26-go-to-ground-window")
        return
    seat = battle.other(unit.seat)
    aimed = _aimed(shots)
    for key, keyword in (("go-to-ground", "INFANTRY"), ("smokescreen", "SMOKE")):
        units = [battle.units[t] for t in aimed]
        rule = stratagems.STRATAGEMS[key].rule
        barred: dict[str, Refusal] = {}
        for target in units:
            refusal = stratagems.refusal(battle, seat, key, target)
            if refusal is None and not battle.is_kind(target, keyword):
                refusal = Refusal(CANNOT, rule, {"unit": target.id, "keyword": keyword})
            if refusal is not None:
                barred[target.id] = refusal
                battle.cite(*(refusal.rules if refusal.code == "refuse.stratagem-twice" else ()))
        options = [option(u.id, u, about=u.named) for u in units if u.id not in barred]
        if not options and not any(
            stratagems.sought(battle, r) or r.code == stratagems.CANNOT for r in barred.values()
        ):
            continue
        chosen = yield Pick(
            seat, key, options, optional=True, barred=barred, rule=rule, about=(unit.id,),
            data={"targets": list(aimed)},
            notes=(stratagems.note(key), *(note for u in units if u.id not in barred for note in aimed[u.id])),
        )  # fmt: skip
        if chosen is not None:
            stratagems.pay(battle, seat, key, chosen.id)
            if key == "go-to-ground":
                chosen.phase = chosen.phase.but(gone_to_ground=True)
            else:
                chosen.phase = chosen.phase.but(smoke=True)
