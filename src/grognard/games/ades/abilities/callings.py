"""Chapter 13.2  Callings: leaders, mystics, scouts, healers and makers, whom procedures simply ask for."""

from __future__ import annotations

from grognard.games.ades.abilities.base import Skill, skill


@skill
class Artefact(Skill):
    """Carries so many artefacts more or less."""

    __slots__ = ()
    name, french, rule = "Artefact", "Artefact", "ades:13.2-artefact"
    takes = "number"


@skill
class Authority(Skill):
    """One tactic of 2 PT or less a turn costs nothing."""

    __slots__ = ()
    name, french, rule = "Authority", "Autorité", "ades:13.2-autorite"


@skill
class Leadership(Skill):
    """A leader whose discipline and courage others share."""

    __slots__ = ()
    name, french, rule = "Leadership", "Commandement", "ades:13.2-commandement"


@skill
class Concentration(Skill):
    """So many points a turn for its bold characteristics."""

    __slots__ = ()
    name, french, rule = "Concentration", "Concentration", "ades:13.2-concentration"
    takes = "number"


@skill
class Awareness(Skill):
    """Knows what is within 20 cm."""

    __slots__ = ()
    name, french, rule = "Awareness", "Conscience", "ades:13.2-conscience"


@skill
class RallyingCry(Skill):
    """Once a game calls all who run."""

    __slots__ = ()
    name, french, rule = "Rallying cry", "Cri de ralliement", "ades:13.2-cri-de-ralliement"


@skill
class Devotion(Skill):
    """Gives its life for a magician's gems."""

    __slots__ = ()
    name, french, rule = "Devotion", "Dévotion", "ades:13.2-devotion"


@skill
class Scout(Skill):
    """Deploys where it likes, hidden."""

    __slots__ = ()
    name, french, rule = "Scout", "Éclaireur", "ades:13.2-eclaireur"


@skill
class Liege(Skill):
    """Gives faith instead of believing."""

    __slots__ = ()
    name, french, rule = "Liege", "Féal", "ades:13.2-feal"
    takes = "number"


@skill
class Faithful(Skill):
    """Calls miracles with faith."""

    __slots__ = ()
    name, french, rule = "Faithful", "Fidèle", "ades:13.2-fidele"
    takes = "mystic"


@skill
class Iconoclast(Skill):
    """Draws faith from enemies."""

    __slots__ = ()
    name, french, rule = "Iconoclast", "Iconoclaste", "ades:13.2-iconoclaste"


@skill
class Infiltration(Skill):
    """Moves after deployment."""

    __slots__ = ()
    name, french, rule = "Infiltration", "Infiltration", "ades:13.2-infiltration"
    takes = "number"


@skill
class Insensitive(Skill):
    """Formulas cost more to touch it."""

    __slots__ = ()
    name, french, rule = "Insensitive", "Insensible", "ades:13.2-insensible"
    takes = "number"


@skill
class Summoner(Skill):
    """Commands more of those it summons."""

    __slots__ = ()
    name, french, rule = "Summoner", "Invocateur", "ades:13.2-invocateur"
    takes = "number"


@skill
class Magician(Skill):
    """Casts spells with gems."""

    __slots__ = ()
    name, french, rule = "Magician", "Magicien", "ades:13.2-magicien"
    takes = "mystic"


@skill
class Martyr(Skill):
    """Gives its life for a faithful's faith."""

    __slots__ = ()
    name, french, rule = "Martyr", "Martyr", "ades:13.2-martyr"


@skill
class Mechanic(Skill):
    """Repairs war machines."""

    __slots__ = ()
    name, french, rule = "Mechanic", "Mécanicien", "ades:13.2-mecanicien"
    takes = "number"


@skill
class Mercenary(Skill):
    """Serves any army."""

    __slots__ = ()
    name, french, rule = "Mercenary", "Mercenaire", "ades:13.2-mercenaire"


@skill
class Musician(Skill):
    """Lifts courage round it."""

    __slots__ = ()
    name, french, rule = "Musician", "Musicien", "ades:13.2-musicien"


@skill
class Mutagen(Skill):
    """May be given doses of mutagen."""

    __slots__ = ()
    name, french, rule = "Mutagen", "Mutagène", "ades:13.2-mutagene"
    takes = "number"


@skill
class Pariah(Skill):
    """Hears only its own kind."""

    __slots__ = ()
    name, french, rule = "Pariah", "Paria", "ades:13.2-paria"


@skill
class Piety(Skill):
    """Keeps some faith."""

    __slots__ = ()
    name, french, rule = "Piety", "Piété", "ades:13.2-piete"
    takes = "number"


@skill
class StandardBearer(Skill):
    """Lifts discipline round it."""

    __slots__ = ()
    name, french, rule = "Standard-bearer", "Porte-étendard", "ades:13.2-porte-etendard"


@skill
class Trapper(Skill):
    """Lays hidden traps."""

    __slots__ = ()
    name, french, rule = "Trapper", "Poseur de pièges", "ades:13.2-poseur-de-pieges"
    others = ("Poseur de piège",)


@skill
class Predictable(Skill):
    """Its card lies face up."""

    __slots__ = ()
    name, french, rule = "Predictable", "Prévisible", "ades:13.2-previsible"


@skill
class Recovery(Skill):
    """Recovers more or fewer gems."""

    __slots__ = ()
    name, french, rule = "Recovery", "Récupération", "ades:13.2-recuperation"
    takes = "number"


@skill
class Reinforcement(Skill):
    """May come back."""

    __slots__ = ()
    name, french, rule = "Reinforcement", "Renfort", "ades:13.2-renfort"


@skill
class Sapper(Skill):
    """Deploys a barricade."""

    __slots__ = ()
    name, french, rule = "Sapper", "Sapeur", "ades:13.2-sapeur"
    takes = "number"


@skill
class Selenite(Skill):
    """Follows the moon."""

    __slots__ = ()
    name, french, rule = "Selenite", "Sélénite", "ades:13.2-selenite"


@skill
class Healer(Skill):
    """Heals itself or a friend."""

    __slots__ = ()
    name, french, rule, others = "Healer", "Soin", "ades:13.2-soin", ("Soins",)
    takes = "number"
    least = True


@skill
class Thaumaturge(Skill):
    """Draws more faith when wounded."""

    __slots__ = ()
    name, french, rule = "Thaumaturge", "Thaumaturge", "ades:13.2-thaumaturge"
