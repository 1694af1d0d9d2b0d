/** What a roll came to. */
import type { LogEntry, RollData } from "./protocol";
import { both, known, say } from "./words.svelte";

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

/** What a roll was for, in words. */
export function titleOf(entry: LogEntry): string {
  const name = String(entry.data.name);
  const code = [`roll.${name}`, `ask.${name}`].find(known);
  if (!code) return both(entry.text);
  const [seat, ...about] = entry.about;
  return say(code, { ...entry.data, seat, ...Object.fromEntries(about.map((id, i) => [`about${i}`, id])) });
}
