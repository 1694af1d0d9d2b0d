/** Which key does what, in one place; the help page lists the same table. */

import { mark } from "./mark";

export type Action =
  | { do: "option"; place: number }
  | { do: "decline" | "confirm" | "cancel" | "undo" | "help" | "fit" | "zoom-in" | "zoom-out" }
  | { do: "measure" | "sight" | "table" | "bend" | "single" | "why" | "log" }
  | { do: "arrow"; way: "up" | "down" | "left" | "right"; fine: boolean }
  | { do: "turn" | "wheel"; degrees: number }
  | { do: "climb" | "widen"; step: 1 | -1 }
  | { do: "proposal"; step: 1 | -1 }
  | { do: "model"; step: 1 | -1 }
  | { do: "moment"; step: 1 | -1 };

/** Keys and what they do, for the help page: [keys, English sentence]. */
export const KEYS: [string, string][] = [
  ["1 – 9", mark("choose the option with that number, or say that face of a die")],
  ["0", mark("decline, pass, or leave it as it is")],
  ["Enter", mark("confirm")],
  ["Esc", mark("drop the ghost, close what is open")],
  ["[ ]", mark("go through the suggested placements")],
  ["↑ ↓ ← →", mark("carry the ghost, or go from unit to unit on the table (with Shift in small steps)")],
  ["Q E", mark("turn to the left and to the right")],
  ["A D", mark("wheel the body to the left and to the right")],
  ["J K", mark("a level down, a level up")],
  [", ;", mark("fewer files, more files")],
  ["S", mark("adjust single models, or move the body again")],
  ["N", mark("adjust the next single model (with Shift the one before)")],
  [".", mark("keep a corner in the way of a single model")],
  ["T", mark("go to the table")],
  ["L", mark("go to the log")],
  ["W", mark("why? of the last roll")],
  ["V", mark("sight tool; the arrows show the sight of one unit after another")],
  ["M", mark("measuring tool; the arrows measure from the selected unit to others")],
  ["U", mark("take back")],
  ["+ − F", mark("zoom in, zoom out, show the whole table")],
  ["PgUp PgDn", mark("go back and forth in time")],
  ["?", mark("this page")],
];

const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" } as const;
const PLAIN: Record<string, Action> = {
  "0": { do: "decline" },
  Enter: { do: "confirm" },
  Escape: { do: "cancel" },
  u: { do: "undo" },
  "?": { do: "help" },
  f: { do: "fit" },
  "+": { do: "zoom-in" },
  "=": { do: "zoom-in" },
  "-": { do: "zoom-out" },
  m: { do: "measure" },
  v: { do: "sight" },
  t: { do: "table" },
  l: { do: "log" },
  w: { do: "why" },
  s: { do: "single" },
  ".": { do: "bend" },
  "[": { do: "proposal", step: -1 },
  "]": { do: "proposal", step: 1 },
  n: { do: "model", step: 1 },
  q: { do: "turn", degrees: -15 },
  e: { do: "turn", degrees: 15 },
  a: { do: "wheel", degrees: -15 },
  d: { do: "wheel", degrees: 15 },
  j: { do: "climb", step: -1 },
  k: { do: "climb", step: 1 },
  ",": { do: "widen", step: -1 },
  ";": { do: "widen", step: 1 },
  PageUp: { do: "moment", step: -1 },
  PageDown: { do: "moment", step: 1 },
};

/** What a key press means, or null. With Ctrl, Alt or Meta it belongs to the browser. */
export function actionOf(event: Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "altKey" | "metaKey">): Action | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  if (event.key in ARROWS) {
    return { do: "arrow", way: ARROWS[event.key as keyof typeof ARROWS], fine: event.shiftKey };
  }
  if (/^[1-9]$/.test(event.key)) return { do: "option", place: Number(event.key) - 1 };
  if (event.key === "Q") return { do: "turn", degrees: -1 };
  if (event.key === "E") return { do: "turn", degrees: 1 };
  if (event.key === "A") return { do: "wheel", degrees: -1 };
  if (event.key === "D") return { do: "wheel", degrees: 1 };
  if (event.key === "N") return { do: "model", step: -1 };
  return PLAIN[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? null;
}

/** Keys typed into a field, or that a focused control needs itself, are not ours. */
export function belongsToField(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("dialog[open]")) return true;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement) {
    const takesText = !["checkbox", "radio", "button", "submit"].includes(target.type);
    return takesText || key === " ";
  }
  return (key === "Enter" || key === " ") && target.closest("button, a[href], summary, [role=tab]") !== null;
}

/** The next of a list after (or before) one of its items, round and round. */
export function following<T>(items: T[], now: T | null, step: 1 | -1): T | undefined {
  if (!items.length) return undefined;
  const at = now === null ? -1 : items.indexOf(now);
  if (at < 0) return step === 1 ? items[0] : items[items.length - 1];
  return items[(at + step + items.length) % items.length];
}
