/** What a roll came to. */
import type { LogEntry, RollData } from "./protocol";
import { both, known, say, who } from "./words.svelte";

export type Fate = "none" | "good" | "bad";

function fateOf(value: number, need: number, sense: RollData["sense"]): Fate {
  if (sense === "high") return value >= need ? "good" : "bad";
  if (sense === "over") return value > need ? "good" : "bad";
  if (sense === "under") return value <= need ? "good" : "bad";
  return "none";
}

/** Whether each die did what was needed: every die by itself, or all by their total where something is added to one. */
export function fates(data: RollData): Fate[] {
  if (data.need === undefined || data.sense === "value") return data.faces.map(() => "none");
  const need = data.need;
  if (data.faces.length === 1) {
    const value = data.sense === "under" ? data.faces[0]! : (data.total ?? data.faces[0]!);
    return [fateOf(value, need, data.sense)];
  }
  return data.faces.map((face) => fateOf(face + (data.sense === "under" ? 0 : (data.plus ?? 0)), need, data.sense));
}

/** How many answers back dice still lie in the tray when somebody sits down. */
const BACK = 6;

/** The dice that lie in the tray when somebody sits down: those of the last few answers of this phase. */
export function lying(log: LogEntry[]): LogEntry[] {
  const now = log[log.length - 1];
  const last = log.findLast((entry) => entry.kind === "roll");
  if (!now || !last || last.turn !== now.turn || last.phase !== now.phase) return [];
  return log.filter((entry) => entry.answer > last.answer - BACK && entry.turn === now.turn && entry.phase === now.phase);
}

/** Whom a roll is about after the seat that rolls: a model stands for its unit, and nobody is named twice. */
export function aboutOf(entry: LogEntry): string[] {
  const title = titleOf(entry).toLocaleLowerCase();
  const names = [...new Set(entry.about.slice(1).map(who))];
  const longer = (name: string) => names.some((other) => other !== name && other.startsWith(`${name} `));
  return names.filter((name) => !longer(name) && !title.includes(name.toLocaleLowerCase()));
}

/** What a roll was for, in words. */
export function titleOf(entry: LogEntry): string {
  const name = String(entry.data.name);
  const code = [`roll.${name}`, `ask.${name}`].find(known);
  if (!code) return both(entry.text);
  const [seat, ...about] = entry.about;
  return say(code, { ...entry.data, seat, ...Object.fromEntries(about.map((id, i) => [`about${i}`, id])) });
}
