"""t9a:5.B.b  Chapter 19.B: A Character on his mount: one model of both."""

from __future__ import annotations

import msgspec

from grognard.games.t9a.army.profiles import RIDER, Profile, distinct, stomping


def is_riders(value: int) -> bool:
    return value <= RIDER + 20


def ridden(rider: Profile, mount: Profile) -> Profile:
    """t9a:19.B.1, t9a:19.B.2, t9a:19.B.3, t9a:19.B.4, t9a:5.B.b
    A Character on a mount: the mount's Size, Type, base and values, both parts' attacks.

    Massive Bulk mounts ignore the rider's armour and Personal Protections (t9a:21.A.b.26).
    """

    def value(own: int, riders: int) -> int:
        return riders + (own - RIDER) if is_riders(own) else own

    massive = bool(mount.has("massive-bulk"))
    protections = [t.text for t in rider.traits if t.kind == "protection"] if massive else []
    rules = distinct((*(r for r in rider.rules if r not in protections), *mount.rules))
    own = tuple(msgspec.structs.replace(p, rider=True) for p in rider.parts)
    harnessed = (
        mount.parts
        if any(p.has("harnessed") or p.has("inanimate") for p in mount.parts)
        else tuple(msgspec.structs.replace(p, attributes=(*p.attributes, "Harnessed")) for p in mount.parts)
    )
    made = Profile(
        f"{rider.name} on {mount.name}",
        mount.size,
        mount.type,
        mount.base,
        value(mount.adv, rider.adv),
        value(mount.mar, rider.mar),
        value(mount.dis, rider.dis),
        value(mount.hp, rider.hp),
        value(mount.defence, rider.defence),
        value(mount.res, rider.res),
        value(mount.arm, rider.arm),
        (*own, *harnessed),
        rider.french,
        mount.suit or ("" if massive else rider.suit),
        mount.shield or (rider.shield and not massive),
        rules,
        rider.ours,
        (*rider.specific, *mount.specific),
        rider.book,
    )
    return stomping(made)
