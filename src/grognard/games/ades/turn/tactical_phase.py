"""Chapter 4.1  The Tactical phase: the Tactician, tactic points, the face-down piles, refusals."""

from __future__ import annotations

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Card, Fighter
from grognard.games.ades.machines import machines
from grognard.games.ades.maintenance import reinforcements
from grognard.games.ades.mystics import devices, nexus
from grognard.games.ades.rolls import characteristic_points, stats, tests
from grognard.games.ades.scenarios import nexus_setup
from grognard.games.ades.tactics import command
from grognard.kernel.questions import Order, Pick, Roll, Script, Together, option
from grognard.kernel.words.tally import Tally

TACTICIAN = "ades:4.1.1-tactician"


def phase(battle: Battle) -> Script[None]:
    """Chapter 4.1  In order: what begins a turn, the Tactician, PT, piles, refusals."""
    if battle.stage == 0:
        yield from begin(battle)
        battle.stage = 1
    if battle.stage == 1:
        yield from tactician(battle)
        battle.stage = 2
    if battle.stage == 2:
        tactic_points(battle)
        if battle.turn == 0:
            yield from nexus_setup.place_all(battle)
        battle.stage = 3
    if battle.stage == 3:
        yield from share_cards(battle)
        battle.stage = 4
    if battle.stage == 4:
        yield from build_piles(battle)
        refusals(battle)
        battle.stage = 5


def begin(battle: Battle) -> Script[None]:
    """ades:3.2.2, ades:13.2-mutagene, ades:13.2-renfort  What the start of a turn brings."""
    for fighter in battle.fighters.values():
        fighter.new_turn()
        fighter.stands = ""
        if battle.house["fear_resisted"] == "turn":
            fighter.fear = fighter.fear.but(resisted=-99)
    for side in battle.sides.values():
        side.new_turn()
    for card in battle.cards.values():
        card.shared = ()
    nexus.new_turn(battle)
    if battle.turn == 0:
        for seat in battle.seats:
            yield from appoint(battle, seat)
        return
    if battle.turn == 1:
        yield from devices.moon(battle)
    for seat in battle.seats:
        yield from reinforcements.recall(battle, seat)
    for seat in battle.seats:
        yield from devices.mutagen(battle, seat)
    yield from machines.man(battle)


def appoint(battle: Battle, seat: str) -> Script[None]:
    """ades:5.1, ades:2.5-commander
    Of several Incarnates none of whom the list has named, one is announced Commander."""
    side = battle.sides[seat]
    heroes = [f for f in battle.fighters.values() if f.seat == seat and f.alive and f.profile.incarnate]
    if side.commander or not heroes:
        return
    first: Fighter = yield Pick(
        seat, "commander.first", [option(f.id, f, about=(f.id,)) for f in heroes], rule="ades:5.1", about=(seat,),
        checkpoint=True,
    )  # fmt: skip
    side.commander = first.id
    battle.cite("ades:2.5-commander")
    battle.tell("commander.first", "ades:5.1", (first.id, seat))


def chief(battle: Battle, seat: str) -> Fighter | None:
    """ades:5.1  The Commander, on the table or still to be deployed."""
    found = battle.fighters.get(battle.sides[seat].commander)
    return found if found is not None and found.alive and not found.fear.routed else None


def authority_of(battle: Battle, seat: str) -> Tally:
    """ades:4.1.1-tactician, ades:13.2-mort-vivant-commander  DIS of the Commander as it counts for the roll."""
    leader = chief(battle, seat)
    if leader is None:
        return Tally(0, "no Commander", "ades:5.2-tactician")
    if stats.undead(battle, leader):
        return Tally(-1, "undead Commander", "ades:13.2-mort-vivant-commander")
    if not stats.has_stat(battle, leader, "DIS"):
        return Tally(-1, "no DIS", "ades:4.3.2-nodis")
    return stats.stat(battle, leader, "DIS")


def tactician(battle: Battle) -> Script[None]:
    """ades:4.1.1-tactician, ades:5.2-tactician
    A die and the Commander's DIS each; the higher decides who speaks first."""
    lost = [seat for seat in battle.seats if battle.turn > 1 and battle.sides[seat].bereaved == battle.turn - 1]
    if len(lost) == 1:
        battle.tactician = battle.other(lost[0])
        battle.tell("tactician", "ades:5.2-tactician", (battle.tactician,))
        return
    if len(lost) == 2:
        battle.cite("ades:5.2-tactician")
    for seat in battle.seats:
        leader = chief(battle, seat)
        if leader is not None:
            yield from characteristic_points.offer(battle, leader, ("DIS",), "tactician")
    totals: list[float] = []
    for seat in battle.seats:
        plus = authority_of(battle, seat)
        (face,) = yield Roll(seat, "tactician", 6, rule=TACTICIAN, plus=plus, sense="value")
        totals.append(face + plus.value)
    if totals[0] != totals[1]:
        battle.tactician = battle.seats[0] if totals[0] > totals[1] else battle.seats[1]
    else:
        battle.tactician = yield from _tie(battle)
    battle.tell("tactician", TACTICIAN, (battle.tactician,), totals=dict(zip(battle.seats, totals, strict=True)))


def _tie(battle: Battle) -> Script[str]:
    leaders = [chief(battle, seat) for seat in battle.seats]
    if any(leader is None for leader in leaders):
        order = yield from tests.arbitrate(battle, [(seat, seat) for seat in battle.seats])
        return order[0]
    both = [leader for leader in leaders if leader is not None]
    first = yield from tests.ranked(battle, both, "DIS", [0.0, 0.0])
    return first[0].seat


def tactic_points(battle: Battle) -> None:
    """ades:4.1.2, ades:13.2-mort-vivant-commander
    As many as the Commander's DIS with the staff's help; no tactics yet in
    the deployment turn. Ruling: never below 0."""
    for seat in battle.seats:
        side, leader = battle.sides[seat], chief(battle, seat)
        side.pt = 0
        if leader is None or battle.turn == 0:
            continue
        if stats.undead(battle, leader):
            total = stats.stat(battle, leader, "PEU") if stats.has_stat(battle, leader, "PEU") else Tally(0, "PEU", "")
            battle.cite("ades:13.2-mort-vivant-commander")
        elif stats.has_stat(battle, leader, "DIS"):
            total = stats.stat(battle, leader, "DIS")
        else:
            continue
        side.pt = max(0, int(total.value))
        battle.cite("ades:5.1")
        battle.tell("pt", "ades:4.1.2", (seat, leader.id), pt=total)


# ---------------------------------------------------------------------- the piles


def playable(battle: Battle, seat: str) -> list[Card]:
    """ades:4.1.3-pile, ades:10.2.1.3-deploy
    The cards of fighters in play (or about to be deployed) that still wait."""
    found = []
    for card in battle.cards.values():
        if card.seat != seat or (card.capability and battle.turn == 0):
            continue
        if battle.turn == 0:
            placed = card.machine and battle.things[card.machine].placed
            waits = bool(battle.waiting(card)) or (bool(card.machine) and not placed)
        else:
            waits = bool(battle.waiting(card))
            if not waits and any(battle.fighters[key].aboard for key in card.fighters):
                battle.cite("ades:10.2.1.3-deploy")
        if waits:
            found.append(card)
    return found


def face_up(battle: Battle, card: Card) -> bool:
    """ades:13.2-previsible  The card of a predictable fighter lies face up."""
    return any(battle.has(battle.fighters[key], "previsible") for key in (*card.fighters, *card.shared))


def share_cards(battle: Battle) -> Script[None]:
    """ades:5.4.5-card, ades:2.7.4-staff  A staff is one card; a musician and a standard-bearer may share one too."""
    if battle.turn == 0:
        return
    for seat in battle.seats:
        for staff in command.staffs(battle, seat):
            card = battle.cards[staff.chief.card]
            joined = [f for f in staff.members[1:] if not f.stands and f.card != card.id and not f.aboard]
            if staff.chief.stands or not joined:
                continue
            card.shared = (*card.shared, *(f.id for f in joined))
            for member in joined:
                member.stands = card.id
            battle.cite("ades:2.7.4-staff")
            battle.tell(
                "staff", "ades:5.4.5-card", (staff.chief.id, *(f.id for f in joined)), staff=[f.id for f in joined]
            )
        yield from _share_band(battle, seat)


def _share_band(battle: Battle, seat: str) -> Script[None]:
    players = [f for f in command.leaders(battle, seat, "musicien") if not f.stands]
    bearers = [f for f in command.leaders(battle, seat, "porte-etendard") if not f.stands]
    in_staff = [f for s in command.staffs(battle, seat) for f in s.members]
    for player in players:
        for bearer in bearers:
            if player in in_staff or bearer in in_staff or player.card == bearer.card or bearer.stands or player.stands:
                continue
            if not command.in_zone(battle, player, bearer) or battle.cards[player.card].shared:
                continue
            both = (player.id, bearer.id)
            chosen = yield Pick(
                seat, "staff.share", [option("share", text="option.share")], optional=True, rule="ades:5.4.5-card",
                about=both,
            )  # fmt: skip
            if chosen is not None:
                battle.cards[player.card].shared = (bearer.id,)
                bearer.stands = player.card
                battle.tell("staff", "ades:5.4.5-card", both, staff=list(both[1:]))


def build_piles(battle: Battle) -> Script[None]:
    """ades:4.1.4-build, ades:4.1.4-visibility  Each player orders all cards in secret; nobody reorders them later."""
    cards = {seat: playable(battle, seat) for seat in battle.seats}
    asked = [
        Order(seat, "pile", [option(c.id, c.id, text="option.card", data={"name": c.name}) for c in cards[seat]],
              rule="ades:4.1.4-build", also=("ades:4.1.3-pile",))
        for seat in battle.seats
    ]  # fmt: skip
    orders = yield Together(asked, checkpoint=True)
    for seat, order in zip(battle.seats, orders, strict=True):
        side = battle.sides[seat]
        side.pile, side.reserve = tuple(order), ()
        battle.cite("ades:4.1.4-visibility", "ades:4.1.3-sequence")
        open_cards = {str(n + 1): key for n, key in enumerate(order) if face_up(battle, battle.cards[key])}
        if open_cards:
            battle.cite("ades:13.2-previsible")
        battle.tell("pile", "ades:4.1.3-pile", (seat,), cards=len(order), face_up=open_cards)
        battle.tell("pile.order", "ades:4.1.4-build", (seat,), seats=(seat,), order=list(order))


def refusals(battle: Battle) -> None:
    """ades:4.1.3-refusal  Whoever has fewer cards gets the difference."""
    counts = [len(battle.sides[seat].pile) for seat in battle.seats]
    for seat, mine, theirs in zip(battle.seats, counts, reversed(counts), strict=True):
        battle.sides[seat].refusals = max(0, theirs - mine)
        if theirs > mine:
            battle.tell("refusals", "ades:4.1.3-refusal", (seat,), refusals=theirs - mine)
