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
  /** Invitations to seats that others are to take, by seat id, until they are taken. */
  invitations?: Record<string, string>;
  /** With this whoever made the match looks after its invitations. */
  host?: string;
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
    ...(created.host ? { host: created.host, invitations: created.invitations ?? {} } : {}),
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

/** The address of an invitation. */
export function joinAddress(token: string): string {
  return new URL(`#/join/${token}`, document.baseURI).href;
}
export function invitationIn(hash: string): string | null {
  return /^#\/join\/([\w-]+)/.exec(hash)?.[1] ?? null;
}

const CLAIMS = "grognard.claims";
const MOST_CLAIMS = 50;

/** This browser's own key to an invitation: with it one may ask again, when an answer was lost or the link is opened anew. */
export function claimKey(token: string): string {
  let held: [string, string][] = [];
  try {
    const found: unknown = JSON.parse(localStorage.getItem(CLAIMS) ?? "[]");
    if (Array.isArray(found)) held = found as [string, string][];
  } catch {
    // as if there were none
  }
  const known = held.find(([one]) => one === token)?.[1];
  if (known) return known;
  const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    localStorage.setItem(CLAIMS, JSON.stringify([[token, key], ...held].slice(0, MOST_CLAIMS)));
  } catch {
    // a private window keeps nothing
  }
  return key;
}

/** The game somebody was sent here to play. */
export function gameIn(hash: string): string | null {
  return /^#\/game\/([\w-]+)/.exec(hash)?.[1] ?? null;
}
export function tokensIn(hash: string): string[] {
  const found = /^#\/seat\/([^/?]+)/.exec(hash);
  return found ? found[1]!.split("+").filter(Boolean) : [];
}
