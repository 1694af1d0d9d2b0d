/** Matches this browser has a link to, newest first. */
import type { Created, SeatInfo, Words } from "./protocol";

export interface Kept {
  id: string;
  title: Words | string;
  /** The seats of people, by seat id. */
  links: Record<string, string>;
  spectator: string;
  /** The game master's, who sees all and is asked what the book leaves to him. */
  referee?: string;
  /** The links opened here: one, or several where people share the screen. */
  mine: string[];
  when: string;
  /** What each side is called; known once somebody sat down. */
  sides?: Words[];
  guided?: boolean;
  /** The notes of a guided battle that were read. */
  read?: string[];
}

const KEY = "grognard.matches";
const MOST = 12;

export function kept(): Kept[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? (found as Kept[]) : [];
  } catch {
    return [];
  }
}

export function keep(match: Kept): void {
  const others = kept().filter((k) => k.id !== match.id);
  write([match, ...others].slice(0, MOST));
}

export function forget(id: string): void {
  write(kept().filter((k) => k.id !== id));
}

function write(all: Kept[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // a private window keeps nothing
  }
}

export function findByToken(token: string): Kept | undefined {
  return kept().find((k) => Object.values(k.links).includes(token) || k.spectator === token || k.referee === token);
}

export function remember(created: Created, title: Words | string, mine: string[], guided = false): Kept {
  const match: Kept = {
    id: created.id,
    title,
    links: created.links,
    spectator: created.spectator,
    ...(created.referee ? { referee: created.referee } : {}),
    mine,
    when: new Date().toISOString(),
    guided,
  };
  keep(match);
  return match;
}

/** A match somebody sits down at: one that came by a link is remembered too, and any learns what its sides are called. */
export function recall(info: SeatInfo, tokens: string[]): void {
  const known = kept().find((k) => k.id === info.match);
  const token = tokens[0]!;
  const links: Record<string, string> = info.role === "seat" && info.seat ? { [info.seat]: token } : {};
  const fresh: Kept = {
    id: info.match,
    title: info.title ?? "",
    links,
    spectator: info.role === "spectator" ? token : "",
    ...(info.role === "referee" ? { referee: token } : {}),
    mine: tokens,
    when: new Date().toISOString(),
  };
  const match = known ?? fresh;
  keep({ ...match, ...(info.sides ? { sides: info.sides } : {}) });
}

/** The address of a seat; the secret stays behind the # and out of every log. */
export function addressOf(tokens: string[]): string {
  return new URL(`#/seat/${tokens.join("+")}`, document.baseURI).href;
}

/** The game somebody was sent here to play. */
export function gameIn(hash: string): string | null {
  return /^#\/game\/([\w-]+)/.exec(hash)?.[1] ?? null;
}
export function tokensIn(hash: string): string[] {
  const found = /^#\/seat\/([^/?]+)/.exec(hash);
  return found ? found[1]!.split("+").filter(Boolean) : [];
}
