"""Chapter 13.2  The skills that answer questions of combat and damage, and those that bring others with them."""

from __future__ import annotations

from grognard.games.ades.abilities.base import Blow, Melee, Skill, skill


@skill
class BornKiller(Skill):
    """One combat die more."""

    __slots__ = ()
    name, french, rule = "Born killer", "Tueur né", "ades:13.2-tueur-ne"

    def dice(self, melee: Melee) -> int:
        return 1


@skill
class BestialCharge(Skill):
    """After a charge one more die, which must attack."""

    __slots__ = ()
    name, french, rule = "Bestial charge", "Charge bestiale", "ades:13.2-charge-bestiale"

    def dice(self, melee: Melee) -> int:
        return 1 if melee.charged else 0


@skill
class Warhorse(Skill):
    """One die more, except in the combat of its charge."""

    __slots__ = ()
    name, french, rule = "Warhorse", "Destrier", "ades:13.2-destrier"

    def dice(self, melee: Melee) -> int:
        return 0 if melee.charged else 1


@skill
class ExtraLimb(Skill):
    """One die more per fighter in contact, at most X."""

    __slots__ = ()
    name, french, rule = "Extra limb", "Membre supplémentaire", "ades:13.2-membre-supplementaire"
    takes = "number"

    def dice(self, melee: Melee) -> int:
        return min(self.number, melee.touching)


@skill
class HardBoiled(Skill):
    """Damage tests against it are read one column left."""

    __slots__ = ()
    name, french, rule = "Hard-boiled", "Dur à cuire", "ades:13.2-dur-a-cuire"

    def suffers(self, blow: Blow) -> int:
        return -1


@skill
class Bane(Skill):
    """Damage tests against X are read one column right."""

    __slots__ = ()
    name, french, rule, takes = "Bane", "Fléau", "ades:13.2-fleau", "words"

    def strikes(self, blow: Blow) -> int:
        marks = [mark.casefold() for mark in blow.target]
        return 1 if any(word.casefold() in marks for word in self.words) else 0


@skill
class PersonalEnemy(Skill):
    """A bane to X, and better for having killed X."""

    __slots__ = ()
    name, french, rule, takes = "Personal enemy", "Ennemi personnel", "ades:13.2-ennemi-personnel", "words"

    def implies(self) -> tuple[str, ...]:
        return tuple(f"Bane/{word}" for word in self.words)


@skill
class Ferocious(Skill):
    """A 2 or 3 of a melee damage test hurts one point more."""

    __slots__ = ()
    name, french, rule = "Ferocious", "Féroce", "ades:13.2-feroce"

    def adds(self, blow: Blow, face: int, base: int) -> int:
        return 1 if blow.melee and face in (2, 3) and not blow.weak else 0


@skill
class Vulnerable(Skill):
    """Whatever hurts it hurts one point more."""

    __slots__ = ()
    name, french, rule = "Vulnerable", "Vulnérable", "ades:13.2-vulnerable"

    def takes_more(self, base: int) -> int:
        return 1 if base >= 1 else 0


@skill
class Feint(Skill):
    """Gives up a success to undo one of the enemy's."""

    __slots__ = ()
    name, french, rule = "Feint", "Feinte", "ades:13.2-feinte"

    def implies(self) -> tuple[str, ...]:
        return ("Immunity/Feint",)


@skill
class Expert(Skill):
    """Seasoned in X, and intimidating in it."""

    __slots__ = ()
    name, french, rule, takes = "Expert", "Expert", "ades:13.2-expert", "stats"

    def implies(self) -> tuple[str, ...]:
        listed = ",".join(self.words)
        return f"Seasoned/{listed}", f"Intimidation/{listed}"


@skill
class Cursed(Skill):
    """Never rolls anything again."""

    __slots__ = ()
    name, french, rule = "Cursed", "Maudit", "ades:13.2-maudit"

    def implies(self) -> tuple[str, ...]:
        return ("Immunity/Seasoned, Luck",)


@skill
class Possessed(Skill):
    """Wounds do not weaken it."""

    __slots__ = ()
    name, french, rule = "Possessed", "Possédé", "ades:13.2-possede"

    def implies(self) -> tuple[str, ...]:
        return ("Immunity/Wounds",)


@skill
class Construct(Skill):
    """Made, not born: neither poison nor fear, no discipline."""

    __slots__ = ()
    name, french, rule = "Construct", "Construct", "ades:13.2-construct"

    def implies(self) -> tuple[str, ...]:
        return ("Immunity/Toxic, PEU",)


@skill
class Undead(Skill):
    """Neither poison nor fear; its own fear is of another kind."""

    __slots__ = ()
    name, french, rule = "Undead", "Mort-vivant", "ades:13.2-mort-vivant"

    def implies(self) -> tuple[str, ...]:
        return ("Immunity/Toxic, PEU",)


@skill
class ImmortalOfDarkness(Skill):
    """As the undead, but no undead."""

    __slots__ = ()
    name, french, rule = "Immortal of Darkness", "Immortel des Ténèbres", "ades:13.2-immortel-tenebres"

    def implies(self) -> tuple[str, ...]:
        return ("Immunity/Toxic, PEU",)


@skill
class ImmortalOfLight(Skill):
    """Neither poison nor fear."""

    __slots__ = ()
    name, french, rule = "Immortal of Light", "Immortel de la Lumière", "ades:13.2-immortel-lumiere"

    def implies(self) -> tuple[str, ...]:
        return ("Immunity/Toxic, PEU",)


@skill
class ImmortalOfDestiny(Skill):
    """Awareness, and no poison."""

    __slots__ = ()
    name, french, rule = "Immortal of Destiny", "Immortel du Destin", "ades:13.2-immortel-destin"

    def implies(self) -> tuple[str, ...]:
        return "Awareness", "Immunity/Toxic"


@skill
class Hyperian(Skill):
    """Frightens those of Darkness with its courage."""

    __slots__ = ()
    name, french, rule = "Hyperian", "Hypérien", "ades:13.2-hyperien"

    def implies(self) -> tuple[str, ...]:
        return ("Immunity/Hyperian, PEU",)


@skill
class WarriorMystic(Skill):
    """Fights and casts."""

    __slots__ = ()
    name, french, rule = "Warrior-mystic", "Mystique-Guerrier", "ades:13.2-mystique-guerrier"

    def implies(self) -> tuple[str, ...]:
        return "Counter-attack", "Immunity/Deconcentration"
