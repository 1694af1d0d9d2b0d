/** What the server tells and answers. */
import type { Change, LogEntry } from "./events";
import type { Note, Question } from "./questions";
import type { Scene } from "./scene";
import type { Point, Words } from "./words";

export interface Result {
  winner: string | null;
  why: string;
  rule: string;
  score?: Record<string, number>;
  text?: Words;
}
export interface State {
  type: "state";
  version: number;
  /** The version at which what is asked now was asked first: half-made answers hold as long as it stays. */
  asked_at?: number;
  /** Whether several are asked at once, in secret, and not all have answered. */
  together?: boolean;
  scene: Scene;
  pending: Question[];
  waiting: string[];
  over: boolean;
  result: Result | null;
  seal: string | null;
  seed?: string | null;
  sealed?: Sealed;
  /** Seats whose players may still add words to the dice; nothing is asked before they have. */
  gathering?: string[];
  /** Answers so far, dice included: the length of the timeline. */
  answers: number;
  log: LogEntry[];
  since: number;
  undo: { fair: boolean; possible: boolean; asked: string | null; agreed?: string[]; shown: boolean; to: number };
  automatic: Record<string, boolean>;
  /** Questions that have been passed for this seat without asking. */
  hushed?: string[];
  measuring?: boolean;
  names: Record<string, Words>;
  /** Templates of the codes in the scene. */
  words: Record<string, Words>;
  title?: Words | string;
  players: Record<string, string>;
  dice: string;
}
export interface Sealed {
  seal: string;
  seed?: string;
  contributions?: string[];
  by_hand?: string[];
  /** Rolls made before this seal, in a match that was brought in. */
  older?: number;
  withdrawn?: { place: number; sides: number; faces: number[] }[];
}
export interface Track {
  path: Point[];
  facing?: number;
  level?: number;
}
export type Placement = Record<string, unknown>;
export interface Ghost {
  path: Point[];
  x: number;
  y: number;
  facing: number;
  /** How far it goes as its rules count it (mm), where that is not the length of its path. */
  far?: number;
  level?: number;
  /** What an aim there would sweep over. */
  traces?: Trace[];
}
export interface Trace {
  points: Point[];
  closed: boolean;
  hits: string[];
}
export interface Checked {
  type: "checked";
  id: string;
  ok: boolean;
  refusal: { text: Words | string; rule: string; mover: string | null; also?: string[] } | null;
  placement: Placement | null;
  ghost?: Record<string, Ghost>;
  far?: Record<string, number>;
  /** What may come of it, though it is legal. */
  notes?: Note[];
}
export interface Reach {
  type: "reach";
  id: string;
  mover: string;
  left_mm: number | null;
  outline: Point[] | null;
  /** How far it is to each level, where that differs. */
  levels?: Record<number, number>;
  /** How that length comes about, in the game's own unit. */
  why?: Change[];
}
export interface Seen {
  id: string;
  cover: boolean;
  /** Those who see it. */
  by: string[];
}
export interface Sight {
  type: "sight";
  id: string;
  from: string[];
  /** Null where the game has no such tool. */
  seen: Seen[] | null;
}
export interface Area {
  kind: "arc" | "range";
  name: string;
  rings: Point[][];
  length_mm: number;
}
export interface Around {
  type: "around";
  id: string;
  unit: string;
  areas: Area[];
}
export interface Numbers {
  type: "numbers";
  id: string;
  model: string;
  /** The characteristics of a model as they are now, by the labels of its card's cells. */
  numbers: Record<string, { value: number; why: Change[] }>;
}
export interface Account {
  type: "account";
  id: string;
  side: string;
  code: string;
  value: number;
  why: Change[];
}
export interface Exact {
  exact: string;
  decimal: number;
}
export interface OddsTable {
  question: string;
  means: Record<string, Exact>;
  parts: Record<string, ({ value: number | string } & Exact)[]>;
  chances: Record<string, Exact>;
  steps: ({ label: string; rule: string } & Exact)[];
  rules: string[];
  /** What is taken for granted in it. */
  assumed?: Note[];
  /** The units its words ("attackers") stand for; without a word, who acts and on whom. */
  who?: Record<string, string[]>;
}
export interface OddsReply {
  type: "odds";
  id: string;
  option: string;
  odds: OddsTable | null;
}
export interface Accepted {
  type: "accepted";
  id: string;
  version: number;
  /** Whether something was taken back at once. */
  done?: boolean;
}
export interface Trouble {
  type: "error";
  id?: string;
  text: Words | string;
  rule?: string;
  code: string;
}
export type Reply = Accepted | Checked | Reach | Sight | Around | Numbers | Account | OddsReply | Trouble | { type: string; id?: string };
