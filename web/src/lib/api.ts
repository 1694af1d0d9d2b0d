/** HTTP: lists, files, new matches. */
import { mark } from "./mark";
import type { Army, Created, Game, InvitedSeat, Lang, LogEntry, Rule, Scene, SeatInfo, Words } from "./protocol";

/** A sentence for people, in every language or as the catalogue has it, with the rule where one forbids it. */
export class Problem extends Error {
  constructor(
    readonly said: Words | string,
    readonly rule = "",
    readonly code = "",
  ) {
    super(typeof said === "string" ? said : said.en);
  }
}

/** What went wrong, as a sentence to be told in the language that is read. */
export function sentenceOf(error: unknown): Words | string {
  if (error instanceof Problem) return error.said;
  return error instanceof Error ? error.message : String(error);
}

async function ask(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Problem(mark("The server does not answer."), "", "offline");
  }
  if (response.ok) return response;
  let told: { error?: { text?: string; words?: Words; rule?: string; code?: string } } = {};
  try {
    told = (await response.json()) as typeof told;
  } catch {
    // not one of our own errors
  }
  const { words, text, rule, code } = told.error ?? {};
  throw new Problem(words ?? text ?? `${response.status} ${response.statusText}`, rule, code);
}

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await ask(path, init)).json()) as T;
}

function post(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** Sentences come in the language of the page. */
const spoken = (path: string) => `${path}?lang=${document.documentElement.lang}`;

const seat = (token: string) => `api/seats/${encodeURIComponent(token)}`;

export const games = () => json<Game[]>("api/games");
/** The list of a starter army as text, to be changed. */
export const armyText = async (game: string, army: string) =>
  (await ask(`api/games/${game}/armies/${encodeURIComponent(army)}`)).text();
export const armies = (game: string) => json<Army[]>(`api/games/${game}/armies`);
/** Translations; of words that games translate differently those of the game. */
export const catalogue = (lang: Lang, game: string) =>
  json<Record<string, string>>(`api/catalogue/${lang}${game ? `?game=${encodeURIComponent(game)}` : ""}`);
/** Every text of a game by its code, in both languages. */
export async function texts(game: string): Promise<Record<string, Words>> {
  const [en, fr] = await Promise.all([
    json<Record<string, string>>(`api/games/${game}/texts/en`),
    json<Record<string, string>>(`api/games/${game}/texts/fr`),
  ]);
  return Object.fromEntries(Object.entries(en).map(([code, text]) => [code, { en: text, fr: fr[code] ?? text }]));
}
export const seatInfo = (token: string) => json<SeatInfo>(seat(token));
/** A new link for spectators. */
export const spectatorLink = async (token: string) =>
  (await json<{ spectator: string }>(`${seat(token)}/spectators`, { method: "POST" })).spectator;
/** The link of one's own that an invitation is exchanged for. */
export const claim = (token: string, key: string) =>
  json<{ token: string; match: string; seat: string; role: string }>(spoken(`api/invitations/${encodeURIComponent(token)}`), post({ key }));
const host = (token: string) => `api/hosts/${encodeURIComponent(token)}`;
/** Who has come, of those that were invited. */
export const hostInfo = (token: string) => json<{ match: string; seats: InvitedSeat[] }>(host(token));
/** A new invitation to a seat nobody has taken; the old one ends. */
export const renewInvitation = async (token: string, seat: string) =>
  (await json<{ invitation: string }>(spoken(`${host(token)}/invitations/${encodeURIComponent(seat)}`), { method: "POST" })).invitation;
/** A new link for spectators; all others end. */
export const renewSpectators = async (token: string) =>
  (await json<{ spectator: string }>(`${host(token)}/spectators`, { method: "POST" })).spectator;
/** An invitation to one's own seat. */
export const moveSeat = async (token: string) =>
  (await json<{ invitation: string }>(spoken(`${seat(token)}/invitation`), { method: "POST" })).invitation;
export const moment = (token: string, n: number) =>
  json<{ scene: Scene; log?: LogEntry[] }>(`${seat(token)}/moments/${n}`);
export const saveAddress = (token: string) => `${seat(token)}/save`;
export const reportAddress = (token: string, lang: Lang) => `${seat(token)}/report?lang=${lang}`;

export interface Plan {
  game: string;
  scenario: string | null;
  armies: string[];
  players: string[];
  house: Record<string, unknown>;
  dice: "sealed" | "words" | "hand";
  /** The places of seats that are for others. */
  invite?: number[];
  seed?: number;
}

export const create = (plan: Plan) => json<Created>(spoken("api/matches"), post(plan));

export const upload = (file: Blob) =>
  json<Created>(spoken("api/matches/import"), {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: file,
  });

export interface Mustered {
  ok: boolean;
  title: string;
  points: number;
  models: number;
  problems: { text: string; rule: string; warning: boolean }[];
}

export const muster = (game: string, list: string, lang: Lang) =>
  json<Mustered>(
    `api/games/${game}/muster?lang=${lang}`,
    { method: "POST", headers: { "content-type": "text/plain" }, body: list },
  );

const rules = new Map<string, Promise<Rule>>();

/** A rule in our words; asked once a language. */
export function rule(id: string, lang: Lang): Promise<Rule> {
  const key = `${lang} ${id}`;
  let found = rules.get(key);
  if (!found) {
    const game = id.split(":")[0] ?? "";
    found = json<Rule>(`api/games/${game}/rules/${encodeURIComponent(id)}?lang=${lang}`);
    found.catch(() => rules.delete(key));
    rules.set(key, found);
  }
  return found;
}
