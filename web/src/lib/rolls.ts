/** What a roll came to. */
import type { LogEntry, RollData } from "./protocol";
import { both, known, say, who } from "./words.svelte";

export type Fate = "none" | "good" | "bad" | "dropped";

function fateOf(value: number, need: number, sense: RollData["sense"]): Fate {
  if (sense === "high") return value >= need ? "good" : "bad";
  if (sense === "over") return value > need ? "good" : "bad";
  if (sense === "under") return value <= need ? "good" : "bad";
  return "none";
}

/** What became of each die; those that do not count are told apart. */
export function fates(data: RollData): Fate[] {
  const drop = data.drop ?? 0;
  const rising = data.faces.map((_, i) => i).sort((a, b) => data.faces[a]! - data.faces[b]!);
  const out = drop > 0 ? rising.slice(0, drop) : drop < 0 ? rising.slice(drop) : [];
  return counting(data).map((fate, i) => (out.includes(i) ? "dropped" : fate));
}

/** Whether each die did what was needed: every die by itself where the roll says so, else all by their sum. */
function counting(data: RollData): Fate[] {
  if (data.spoilt !== undefined) return data.faces.map((face) => (face === data.spoilt ? "bad" : "none"));
  if (data.need === undefined || data.sense === "value") return data.faces.map(() => "none");
  const need = data.need;
  const plus = data.sense === "under" ? 0 : (data.plus ?? 0);
  if (data.each) return data.faces.map((face) => fateOf(face + plus, need, data.sense));
  const sum = data.faces.reduce((a, b) => a + b, 0);
  const total = data.sense === "under" && !data.drop ? sum : (data.total ?? sum + plus);
  return data.faces.map(() => fateOf(total, need, data.sense));
}

/** What the dice come to, where that is more than a face: with what is added, or several added up. */
export function totalOf(data: Partial<RollData>): number | null {
  const faces = data.faces ?? [];
  if (!faces.length || data.each || (faces.length === 1 && !data.plus)) return null;
  if (data.need === undefined && data.total === undefined) return null; // dice that may each count for themselves
  return data.total ?? faces.reduce((a, b) => a + b, 0) + (data.plus ?? 0);
}

/** How many answers back dice still lie in the tray when somebody sits down. */
const BACK = 6;

/** The dice that lie in the tray when somebody sits down: those of the last few answers of this phase. */
export function lying(log: LogEntry[]): LogEntry[] {
  const now = log[log.length - 1];
  const last = log.findLast((entry) => entry.kind === "roll");
  if (!now || !last || stale([last], log)) return [];
  return log.filter((entry) => entry.answer > last.answer - BACK && entry.turn === now.turn && entry.phase === now.phase);
}

/** Whether dice are of another phase than the last that was told. */
export function stale(dice: LogEntry[], log: LogEntry[]): boolean {
  const now = log[log.length - 1];
  const last = dice.findLast((entry) => entry.kind === "roll");
  return !!now && !!last && (last.turn !== now.turn || last.phase !== now.phase);
}

/** Whom a roll is about after the seat that rolls: a model stands for its unit, and nobody is named twice. */
export function aboutOf(entry: LogEntry, unitOf: (id: string) => string | undefined): string[] {
  const title = titleOf(entry).toLocaleLowerCase();
  const ids = [...new Set(entry.about.slice(1))];
  const member = (id: string) => ids.find((other) => other !== id && unitOf(other) === id);
  const names = [...new Set(ids.map((id) => member(id) ?? id).map(who))];
  return names.filter((name) => !title.includes(name.toLocaleLowerCase()));
}

/** What a roll was for, in words. */
export function titleOf(entry: LogEntry): string {
  const name = String(entry.data.name);
  const code = [`roll.${name}`, `ask.${name}`].find(known);
  if (!code) return both(entry.text);
  const [seat, ...about] = entry.about;
  return say(code, { ...entry.data, seat, ...Object.fromEntries(about.map((id, i) => [`about${i}`, id])) });
}
