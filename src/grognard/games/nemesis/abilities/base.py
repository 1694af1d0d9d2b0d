"""The questions Némésis procedures ask of abilities and spells, with an ordinary model's answers.

Flags are class attributes (`battle.flag(model, "all_round_view")` is true if any trait of the model, its
weapon, its unit's enchantments sets it). Methods change tallies. `unit_wide` flags count for the whole unit
a model is in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from grognard.kernel.data.abilities import Ability, Registry

if TYPE_CHECKING:
    from grognard.games.nemesis.battle import Battle
    from grognard.games.nemesis.forces import Model
    from grognard.kernel.words.tally import Tally


class Trait(Ability):
    """nemesis:A1-override  What an ability or a spell in effect may change."""

    optional: ClassVar[bool] = False  # nemesis:A1-class  U.O. (owner's choice) against T.A. (always)

    # sight and movement
    all_round_view: ClassVar[bool] = False
    ignores_terrain: ClassVar[bool] = False
    moves_through_models: ClassVar[bool] = False
    precise: ClassVar[bool] = False  # no penalty for having moved
    speedy: ClassVar[bool] = False  # may double M, bonus die on die-based moves
    cannot_move: ClassVar[bool] = False

    # fear and courage
    causes_fear: ClassVar[bool] = False
    fearless: ClassVar[bool] = False
    fearless_unit: ClassVar[bool] = False  # gives immunity to the whole unit it is in
    never_flees: ClassVar[bool] = False
    never_retreats: ClassVar[bool] = False
    rerolls_flight: ClassVar[bool] = False  # re-rolls failed tests that would make it flee
    best_of_two_courage: ClassVar[bool] = False
    resists_hypnosis: ClassVar[bool] = False

    # dice
    rerolls_stat_test: ClassVar[bool] = False  # once per turn
    bonus_die: ClassVar[bool] = False  # once per turn: re-roll, attack or spell die
    rerolls_defence: ClassVar[bool] = False
    swaps_dice: ClassVar[bool] = False  # once per turn
    regenerates: ClassVar[bool] = False

    # fighting
    hypnotic: ClassVar[bool] = False
    cannot_attack: ClassVar[bool] = False
    cannot_defend: ClassVar[bool] = False
    attacks_self: ClassVar[bool] = False
    cannot_be_attacked: ClassVar[bool] = False
    maddens: ClassVar[bool] = False
    rots: ClassVar[bool] = False
    multishot: ClassVar[bool] = False
    shot_proof: ClassVar[bool] = False
    untargetable: ClassVar[bool] = False  # by charges and shots
    does_nothing: ClassVar[bool] = False
    bars_disengaging: ClassVar[bool] = False

    # command, magic, army lists
    order_ability: ClassVar[bool] = False
    gives_second_order: ClassVar[bool] = False
    takes_more_orders: ClassVar[bool] = False
    magic_creature: ClassVar[bool] = False  # obeys only mages
    casts_freely_in_melee: ClassVar[bool] = False
    cannot_join: ClassVar[bool] = False
    right_hand: ClassVar[bool] = False
    scouts: ClassVar[bool] = False
    hides: ClassVar[bool] = False
    detects: ClassVar[bool] = False
    ones_are_safe: ClassVar[bool] = False

    def stat(self, battle: Battle, model: Model, name: str, tally: Tally) -> None:
        """Change one of the model's own characteristics."""

    def accuracy(self, battle: Battle, shooter: Model, target: Model, tally: Tally) -> None:
        """Change the shooter's accuracy roll."""

    def aimed_at(self, battle: Battle, shooter: Model, target: Model, tally: Tally) -> None:
        """Change the HT of whoever shoots at the bearer (accuracy and impact)."""


REGISTRY: Registry[Trait] = Registry("nemesis")
