/** A first battle with a hand on the shoulder: notes that come up when there is something to try. */
import { emptiest, type Corner, type Spot } from "./geometry";
import { findByToken, keep } from "./links";
import { mark } from "./mark";
import type { MatchStore } from "./match.svelte";
import type { Placing } from "./placing.svelte";
import { known } from "./words.svelte";

interface Note {
  id: string;
  title: string;
  text: string;
  when: (match: MatchStore, placing: Placing) => boolean;
}

/** What can be chosen on the table itself, and whose it is: things that are not there do not glow. */
function glowing(match: MatchStore): (string | null)[] {
  const ground = [...(match.scene?.terrain ?? []), ...(match.scene?.tokens ?? []), ...(match.scene?.zones ?? [])];
  return [...match.lit.keys()].flatMap<string | null>((id) => {
    const model = match.modelsOf(id).find((one) => one.pose);
    if (model) return [model.side];
    return ground.some((thing) => thing.id === id) ? [null] : [];
  });
}
/** Whether declining has a button of its own. */
const declinable = (match: MatchStore) =>
  match.question?.kind === "pick" && match.question.most === 1 && match.mayDecline && !match.question.options.some((option) => option.key === match.question?.pass);

export const NOTES: Note[] = [
  {
    id: "welcome",
    title: mark("Welcome to the table"),
    text: mark("You play one army, the computer the other. Your next decision stands in the panel with the brass edge. The game asks you everything the rules leave to you, and only that."),
    when: () => true,
  },
  {
    id: "pick",
    title: mark("Choosing"),
    text: mark("What glows on the table can be chosen there or in the list; with a keyboard, by its number. Point at anything, or touch it, to see what it is."),
    when: (match) => match.question?.kind === "pick" && glowing(match).length > 0,
  },
  {
    id: "deploy",
    title: mark("Setting down"),
    text: mark("These models are not on the table yet. Take one of the suggested placements, or click in your zone where they shall stand. Nothing is final before you confirm."),
    when: (match) => match.question?.kind === "place" && !match.question.movers.some((id) => match.models.get(id)?.pose),
  },
  {
    id: "ghost",
    title: mark("The ghost"),
    text: mark("The pale bases show where the unit would stand. Drag one of them and the whole body follows. Pale yellow is legal; red hatching is not, and the panel says which rule forbids it. Press Enter or Confirm when you like what you see."),
    when: (_match, placing) => placing.any,
  },
  {
    id: "move",
    title: mark("Moving"),
    text: mark("Drag any model of the unit; the others keep their places beside it. The handle turns it. ‘Adjust single models’ lets you move one at a time afterwards. ‘Stay here’ is a move, too."),
    when: (match) => match.question?.kind === "place" && match.question.movers.some((id) => match.models.get(id)?.pose),
  },
  {
    id: "why",
    title: mark("Why?"),
    text: mark("Every § opens the rule behind what you read, in our own words. Every number that can be explained has a ‘why?’ beside it: what it began with, what was added, and by which rule."),
    when: (match) => match.version > 2 && match.fresh.some((entry) => entry.kind === "roll"),
  },
  {
    id: "dice",
    title: mark("The dice tray"),
    text: mark("Here is what was just rolled, what for, and what was needed. A firm green die counted, a pale dashed one did not. The dice are sealed: their seed was fixed before the battle and can be checked at the end."),
    when: (match) => match.fresh.some((entry) => entry.kind === "roll" && entry.data.need !== undefined),
  },
  {
    id: "odds",
    title: mark("Weighing it up"),
    text: mark("Point at an enemy, here or in the list: where an attack can be weighed, its odds stand under the options, with what they take for granted."),
    when: (match) => match.question?.kind === "pick" && glowing(match).some((side) => side !== null && side !== match.question?.seat),
  },
  {
    id: "undo",
    title: mark("Second thoughts"),
    text: mark("‘Take back’ undoes your last decision as long as no die has been rolled since. After that your opponent would have to agree."),
    when: (match) => match.state?.undo.possible === true && match.version > 10,
  },
  {
    id: "log",
    title: mark("The story so far"),
    text: mark("The log tells everything in plain words. Click an entry to see the table as it was at that moment; the line under the table goes back and forth in time."),
    when: (match) => match.log.length > 25,
  },
  {
    id: "pass",
    title: mark("Passing"),
    text: mark("Often you may decline: Pass, or the key 0. If you never want to be asked a certain thing, tick ‘Always pass when this is asked’."),
    when: (match) => declinable(match),
  },
  {
    id: "end",
    title: mark("The end"),
    text: mark("The battle is over. Read the report, keep the replay, check the dice — and play again without me. The ? key shows all keys."),
    when: (match) => match.state?.over === true,
  },
];

/** Whoever plays on so many answers has read the note. */
const READ = 3;

export class Guide {
  #seen = $state<string[]>([]);
  #since = 0;
  on = $state(false);

  constructor(
    private readonly match: MatchStore,
    private readonly placing: Placing,
    private readonly token: string,
  ) {
    const known = findByToken(token);
    this.on = known?.guided ?? false;
    this.#seen = known?.read ?? [];
  }

  /** The note to show now: one about the table, or the game's own about a phase or what it asks. */
  now = $derived.by<{ id: string; title: string; text: string; code: boolean; past?: boolean } | null>(() => {
    if (!this.on || !this.match.state || this.match.moment !== null) return null;
    const note = NOTES.find((n) => !this.#seen.includes(n.id) && n.when(this.match, this.placing));
    if (note) return { ...note, code: false };
    const fits = (code: string) => !this.#seen.includes(code) && known(code);
    const phase = this.#phases.find((one) => fits(`guide.${one}`));
    const [asked, here] = [`guide.on.${this.match.question?.name ?? ""}`, this.match.scene?.clock.phase ?? ""];
    if (phase) return { id: `guide.${phase}`, title: `phase.${phase}`, text: `guide.${phase}`, code: true, past: phase !== here };
    return this.match.question && fits(asked) ? { id: asked, title: `phase.${here}`, text: asked, code: true } : null;
  });

  /** The phases one has come to, the present one last: those nobody was asked in, too, if something happened in them. */
  get #phases(): string[] {
    const clock = this.match.scene?.clock;
    if (!clock) return [];
    const eventful = new Set(this.match.log.filter((entry) => entry.kind !== "phase").map((entry) => entry.phase));
    const past = clock.phases.map((step) => step.code).filter((code) => code !== clock.phase && eventful.has(code));
    return [...past, clock.phase];
  }

  /** A note is up: from now on answers count as having read it. */
  begin(): void {
    this.#since = this.match.given;
  }
  /** Whether its reader has long played on. */
  get stale(): boolean {
    return this.now !== null && this.match.given >= this.#since + READ;
  }

  next(): void {
    if (this.now) this.#seen = [...this.#seen, this.now.id];
    this.#keep();
  }
  stop(): void {
    this.on = false;
    this.#keep();
  }

  /** Whoever comes back has read what they have read. */
  #keep(): void {
    const known = findByToken(this.token);
    if (known) keep({ ...known, guided: this.on, read: this.#seen });
  }

  /** The place on the table's picture with the fewest models in it, where a note hides least. */
  get corner(): Corner {
    const { scene, question, flipped } = this.match;
    if (!scene) return "top left";
    const spots: Spot[] = scene.models.flatMap((model) => (model.pose ? [model.pose] : []));
    if (question?.kind === "place" && !this.placing.movers.some((id) => this.match.models.get(id)?.pose)) {
      const zones = scene.zones.filter((zone) => zone.side === question.seat && zone.kind === "deployment");
      spots.push(...zones.flatMap((zone) => zone.points.map(([x, y]) => ({ x, y }))));
    }
    return emptiest(spots, scene.table, flipped);
  }
}
