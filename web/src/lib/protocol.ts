/** What travels between the table and the server. Lengths are millimetres, bearings compass degrees. */

export type Lang = "en" | "fr";
export type Words = Record<Lang, string>;
export type Point = [number, number];

// ---------------------------------------------------------------- the scene: all that is drawn

export interface Said {
  code: string;
  text: string;
  data: Record<string, unknown>;
  rule: string;
}
export interface Count {
  code: string;
  text: string;
  value: number;
  most: number | null;
  /** How it comes about, where the game reckons it from the table; else the server is asked. */
  why?: Change[];
}
export interface Board {
  width: number;
  height: number;
  unit: string;
  unit_mm: number;
}
export interface Ground {
  id: string;
  kind: string;
  name: string;
  points: Point[];
  height: number;
  levels: number[];
  sight: string;
  class: string;
  traits: string[];
  states: Said[];
}
export interface Stand {
  x: number;
  y: number;
  facing: number;
  level: number;
}
export interface Foot {
  shape: "circle" | "oval" | "rectangle";
  width: number;
  depth: number;
}
export interface Figure {
  id: string;
  name: string;
  side: string;
  unit: string;
  card: string;
  pose: Stand | null;
  base: Foot;
  height: number;
  wounds: { now: number; start: number } | null;
  states: Said[];
}
export interface Troop {
  id: string;
  name: string;
  side: string;
  models: string[];
  formation: { files: number; ranks: number } | null;
  outline: Point[] | null;
  states: Said[];
  tags: string[];
  /** The card of a unit whose models have left the scene. */
  card: string;
}
export interface Zone {
  id: string;
  kind: string;
  text: string;
  points: Point[];
  side: string | null;
  circle: { x: number; y: number; radius: number } | null;
  data: Record<string, unknown>;
}
export interface Token {
  id: string;
  kind: string;
  name: string;
  x: number;
  y: number;
  radius: number;
  owner: string | null;
  bearer: string | null;
  states: Said[];
}
export interface Side {
  id: string;
  name: string;
  colour: number;
  score: Count[];
  pools: Count[];
  states: Said[];
}
export interface Clock {
  turn: number;
  phase: string;
  phases: { code: string; text: string; now: boolean }[];
  acting: string | null;
  turns: number | null;
}
export interface Card {
  id: string;
  title: string;
  cells: { label: string; value: string }[];
  grids: { text: string; columns: string[]; rows: string[][] }[];
  abilities: { name: string; rule: string }[];
  tags: string[];
}
export interface Scene {
  table: Board;
  clock: Clock;
  sides: Side[];
  terrain: Ground[];
  models: Figure[];
  units: Troop[];
  zones: Zone[];
  tokens: Token[];
  cards: Record<string, Card>;
}

// ---------------------------------------------------------------- questions

export interface Choice {
  key: string;
  text: string;
  about: string[];
  data: Record<string, unknown>;
  label: Words;
}
export interface Barred {
  code: string;
  rule: string;
  data: Record<string, unknown>;
  text?: Words;
  label?: Words;
}
export interface Proposal {
  name: string;
  label: Words;
}
interface Asked {
  seat: string;
  name: string;
  rule: string;
  about: string[];
  data: Record<string, unknown>;
  prompt: Words;
  passable?: boolean;
  /** Whether it can be passed by itself from now on. */
  automatic?: boolean;
  /** Whether hardly anybody would answer it; it is asked because this seat wants to be asked everything. */
  idle?: boolean;
  /** What to answer to pass, where that is allowed. */
  pass?: unknown;
  /** What is answered for those who let this kind of question pass, where nobody may decline it. */
  usual?: unknown;
}
export interface PickAsk extends Asked {
  kind: "pick";
  options: Choice[];
  least: number;
  most: number;
  barred: Record<string, Barred>;
}
export interface PlaceAsk extends Asked {
  kind: "place";
  movers: string[];
  optional: boolean;
  proposals: Proposal[];
}
export interface SplitAsk extends Asked {
  kind: "split";
  options: Choice[];
  total: number;
  exact: boolean;
  /** What is not said is filled up: in the end all is shared. */
  filled?: boolean;
  limits: Record<string, [number, number]>;
}
export interface OrderAsk extends Asked {
  kind: "order";
  options: Choice[];
}
export interface NumberAsk extends Asked {
  kind: "number";
  low: number;
  high: number;
  step: number;
}
export interface RollAsk extends Asked {
  kind: "roll";
  sides: number;
  count: number;
  sense?: RollData["sense"];
  plus?: number;
  plus_why?: Change[];
  need?: number;
  need_why?: Change[];
}
export type Question = PickAsk | PlaceAsk | SplitAsk | OrderAsk | NumberAsk | RollAsk;

// ---------------------------------------------------------------- what happened

export interface Change {
  /** A word of an account, or the sentence of the event that made the change. */
  what: string | Words;
  op: "base" | "add" | "times" | "set" | "floor" | "cap";
  amount: number;
  rule: string;
  /** The moment it happened, where it did. */
  answer?: number | null;
  /** How that amount itself came about. */
  parts?: Change[];
}
export interface LogEntry {
  n: number;
  answer: number;
  kind: string;
  text: Words;
  rule: string;
  about: string[];
  data: Record<string, unknown>;
  turn: number;
  phase: string;
}
/** The data of a log entry of kind "roll". */
export interface RollData {
  name: string;
  sides: number;
  faces: number[];
  sense: "high" | "over" | "under" | "value";
  plus?: number;
  plus_why?: Change[];
  total?: number;
  need?: number;
  need_why?: Change[];
  /** Of several dice: each is compared by itself; else their sum is. */
  each?: boolean;
  /** The face that spoilt the roll, whatever it came to. */
  spoilt?: number;
}

// ---------------------------------------------------------------- messages

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
  /** Of a block: how far it goes as its rules count it (mm). */
  far?: number;
}
export interface Checked {
  type: "checked";
  id: string;
  ok: boolean;
  refusal: { text: Words | string; rule: string; mover: string | null; also?: string[] } | null;
  placement: Placement | null;
  ghost?: Record<string, Ghost>;
}
export interface Reach {
  type: "reach";
  id: string;
  mover: string;
  left_mm: number | null;
  outline: Point[] | null;
  /** How that length comes about, in the game's own unit. */
  why?: Change[];
}
export interface Seen {
  id: string;
  cover: boolean | string;
  why?: Words | string;
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

// ---------------------------------------------------------------- lists

export interface HouseRule {
  name: string;
  default: unknown;
  choices: unknown[];
  text: Words;
  rule: string;
  /** What the choices are called, where they are words. */
  labels?: Record<string, Words>;
}
export interface Game {
  id: string;
  title: string;
  unit: string;
  complete: boolean;
  premeasure: boolean;
  referee?: boolean;
  seats: [number, number];
  scenarios: { id: string; title: Words; summary: Words }[];
  house: HouseRule[];
  players?: string[];
}
export interface Army {
  id: string;
  title: Words;
  faction: Words;
  points: number;
  models: number;
  summary: Words;
}
export interface Created {
  id: string;
  links: Record<string, string>;
  players?: Record<string, string>;
  spectator: string;
  referee?: string;
  seal: string | null;
  over?: boolean;
}
export interface SeatInfo {
  match: string;
  seat: string | null;
  role: string;
  game: string;
  over: boolean;
  version?: number;
  title?: Words | string;
  /** What each side is called. */
  sides?: Words[];
}
export interface Rule {
  id: string;
  title: Words | string;
  summary: Words | string;
  kind?: string;
}
