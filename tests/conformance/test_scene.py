"""What screens draw: every game's scene is whole, can be said in both languages, and tells no secrets."""

from __future__ import annotations

import msgspec
import pytest

from grognard.kernel.events import canonical
from grognard.kernel.match.match import Match
from grognard.kernel.screen.scene import Scene, Troop, read
from tests.conformance.harness import SEATINGS, Seating, french, moments, steps, templates
from tests.conformance.test_secrets import pairs

each_seating = pytest.mark.parametrize("seating", SEATINGS, ids=str)


def looks(seating: Seating) -> list[tuple[Match, Scene]]:
    """Scenes of some moments, for every seat and the referee, made at once so that a match is seen as it was."""
    looked_at, found = set(moments(seating, 8)), []
    for place, match in steps(seating):
        if place in looked_at:
            touched = list(match.touched)
            before = canonical([match.view(None), match.events])
            for seat in (None, *match.battle.seats):
                scene = match.scene(seat)
                assert match.scene(seat) == scene
                found.append((match, scene))
                _whole(seating, match, scene, seat)
            assert canonical([match.view(None), match.events]) == before, "looking changed something"
            assert list(match.touched) == touched, "looking touched a rule"
    return found


def _whole(seating: Seating, match: Match, scene: Scene, seat: str | None) -> None:
    """Ids fit together, everything lies where the view says it does, and names are the game's own."""
    battle, view, names = match.battle, match.view(seat), seating.ruleset.names(match.battle)
    assert (scene.table.width, scene.table.height) == (battle.table.width, battle.table.height)
    assert scene.table.unit == seating.ruleset.unit and scene.table.unit_mm == seating.ruleset.unit_mm
    sides = [side.id for side in scene.sides]
    assert sides[: len(battle.seats)] == list(battle.seats), "after the seats come those who fight for nobody"
    assert [side.colour for side in scene.sides] == list(range(len(sides)))
    assert [piece.id for piece in scene.terrain] == [piece["id"] for piece in view.get("terrain", ())]
    assert getattr(battle, "turn", 0) == scene.clock.turn, "logs and reports count the turns the clock shows"
    assert sum(step.now for step in scene.clock.phases) == (1 if scene.clock.phase else 0)
    everything = (scene.sides, scene.terrain, scene.models, scene.units, scene.tokens)
    for things in (*everything, scene.zones):
        ids = [thing.id for thing in things]
        assert len(set(ids)) == len(ids), ids
    for things in everything:
        assert [thing.name for thing in things] == [names[thing.id] for thing in things]
    shown = {m: seen["pose"] for m, seen in view.get("models", {}).items() if seen["pose"] is not None}
    drawn = {m.id: m.pose for m in scene.models if m.pose is not None}
    assert list(drawn) == list(shown), "every model on the table the seat sees, and no other"
    for model_id, pose in shown.items():
        assert (drawn[model_id].x, drawn[model_id].y) == (pose["x"], pose["y"])
    units = {unit.id: unit for unit in scene.units}
    for model in scene.models:
        assert model.unit in units and model.side in sides, model
        assert not model.card or model.card in scene.cards, model
        assert model.pose is None or min(model.base.width, model.base.depth) > 0, model
    for unit in scene.units:
        assert {m.id for m in scene.models} >= set(unit.models), unit
        assert unit.outline is None or len(unit.outline) == 4, unit
        assert not scene.cards or seat is not None or _cards(scene, unit), f"nobody can read what {unit.id} is"
    assert all(len(zone.points) >= 3 for zone in scene.zones)
    assert all(key == card.id for key, card in scene.cards.items())


def _cards(scene: Scene, unit: Troop) -> set[str]:
    """The cards of a unit, also of one that is gone: of its models, of its fallen, or its own."""
    own = [m.card for m in scene.models if m.id in unit.models or m.unit == unit.id or m.id == unit.id]
    return {card for card in (*own, unit.card) if card in scene.cards}


@each_seating
def test_scenes_are_whole_and_looking_changes_nothing(seating: Seating) -> None:
    assert looks(seating)


@each_seating
def test_scenes_are_plain_data_that_can_be_read_again(seating: Seating) -> None:
    for _, scene in looks(seating):
        wire = msgspec.json.decode(canonical(scene.plain()))
        assert read(wire) == scene


@each_seating
def test_everything_a_scene_says_has_words(seating: Seating) -> None:
    ruleset = seating.ruleset
    known, languages = templates(ruleset), french(ruleset)
    for match, scene in looks(seating):
        names = ruleset.names(match.battle)
        for code, data in scene.codes():
            assert code in known, f"{code} has no text"
            assert known[code] in languages, f"{code} has no French"
            assert "{" not in ruleset.say(code, data, "en", names), code
            assert "{" not in ruleset.say(code, data, "fr", names), code
        held = [*(model.states for model in scene.models), *(unit.states for unit in scene.units)]
        rules = [state.rule for states in held for state in states if state.rule]
        rules += [ability.rule for card in scene.cards.values() for ability in card.abilities if ability.rule]
        assert all(rule in ruleset.rulebook.by_id for rule in rules)


@each_seating
def test_scenes_tell_no_secrets(seating: Seating) -> None:
    """The pair test of views, for scenes."""
    for one, other, secretive, _ in pairs(seating):
        for seat in one.battle.seats:
            same = canonical(one.events_for(seat)) == canonical(other.events_for(seat))
            if seat != secretive and same:
                assert one.scene(seat) == other.scene(seat), f"the scene of {seat} leaks"
