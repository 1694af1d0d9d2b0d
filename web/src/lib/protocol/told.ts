/** What the server tells and asks. Made by `make pages` from the server's types; not to be edited. */
import type { Placement, Point, Question, Result, Words } from "./parts";
import type { Scene } from "./scene";

export interface Change {
  /** A word, or the sentence of the event that made the change. */
  what: string | Words;
  op: "add" | "base" | "cap" | "floor" | "set" | "times";
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
  /** Not everybody is told. */
  private?: boolean;
}
export interface Note {
  text: Words;
  rule: string;
}
export interface Choice {
  key: string;
  text: string;
  about: string[];
  data: Record<string, unknown>;
  label: Words;
  notes?: Note[];
}
export interface Barred {
  code: string;
  rule: string;
  data: Record<string, unknown>;
  text: Words;
  label: Words;
  also?: string[];
}
export interface Proposal {
  name: string;
  label: Words;
}
export interface Underway {
  path: Point[];
  x: number;
  y: number;
  facing: number;
  level: number;
}
export interface Asked {
  seat: string;
  name: string;
  rule: string;
  about: string[];
  data: Record<string, unknown>;
  prompt: Words;
  notes?: Note[];
  /** Moves others have announced, by mover. */
  underway?: Record<string, Underway>;
  passable: boolean;
  /** Whether it can be passed by itself from now on. */
  automatic: boolean;
  /** Whether hardly anybody would answer it; it is asked on demand only. */
  idle: boolean;
  /** What to answer to pass, where that is allowed. */
  pass?: unknown;
  /** What is answered for those who let it pass, where nobody may decline it. */
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
  /** Levels one may choose to end on; none where there is no choice. */
  levels: number[];
  /** Numbers of files a block may have, where one may choose. */
  files: number[];
  /** Whether the mover is a unit that goes as one, though it may be one model. */
  block: boolean;
  /** Whether a thing that is no model looks somewhere all the same. */
  turns: boolean;
}
export interface SplitAsk extends Asked {
  kind: "split";
  options: Choice[];
  total: number;
  exact: boolean;
  /** What is not said is filled up: in the end all is shared. */
  filled: boolean;
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
  sense: "high" | "over" | "under" | "value";
  plus?: number;
  plus_why?: Change[];
  need?: number;
  need_why?: Change[];
}
export interface Withdrawn {
  place: number;
  sides: number;
  faces: number[];
  secret?: string;
}
export interface Sealed {
  seal: string;
  seed?: string;
  contributions?: string[];
  by_hand?: string[];
  older?: number;
  withdrawn?: Withdrawn[];
}
export interface Undo {
  fair: boolean;
  possible: boolean;
  asked: string | null;
  agreed: string[];
  shown: boolean;
  to: number;
  secret: boolean;
}
export interface State {
  type: "state";
  version: number;
  game: string;
  /** The version at which what is asked now was asked first. */
  asked_at: number;
  /** The version as somebody counts who has no secrets. */
  opened: number;
  /** Whether several are asked at once, in secret. */
  together: boolean;
  /** Answers so far, dice included: the length of the timeline. */
  answers: number;
  players: Record<string, string>;
  dice: string;
  scene: Scene;
  names: Record<string, Words>;
  /** Templates of the codes in the scene. */
  words: Record<string, Words>;
  pending: Question[];
  waiting: string[];
  /** Seats whose players may still add words to the dice. */
  gathering: string[];
  over: boolean;
  measuring: boolean;
  result: Result | null;
  seal: string | null;
  seed: string | null;
  sealed: Sealed;
  undo: Undo;
  automatic: Record<string, boolean>;
  /** Questions that have been passed for this seat without asking. */
  hushed: string[];
  since: number;
  log: LogEntry[];
}
export interface Why {
  text: Words;
  rule: string;
  mover: string | null;
  also: string[];
  code: string;
}
export interface Trace {
  points: Point[];
  closed: boolean;
  hits: string[];
}
export interface Ghost {
  path: Point[];
  x: number;
  y: number;
  facing: number;
  /** How far it goes as its rules count it. */
  far?: number;
  level?: number;
  /** What an aim there would sweep over. */
  traces?: Trace[];
}
export interface Checked {
  type: "checked";
  id: string | number | null;
  ok: boolean;
  refusal: Why | null;
  placement: Placement | null;
  ghost?: Record<string, Ghost> | null;
  far?: Record<string, number>;
  /** What may come of it, though it is legal. */
  notes?: Note[];
}
export interface Reach {
  type: "reach";
  id: string | number | null;
  mover: string;
  left_mm: number | null;
  outline: Point[] | null;
  /** How far to each level, where that differs. */
  levels?: Record<number, number>;
  why?: Change[];
}
export interface Seen {
  id: string;
  cover: boolean;
  /** Those who see it. */
  by: string[];
  why: string;
}
export interface Sight {
  type: "sight";
  id: string | number | null;
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
  id: string | number | null;
  unit: string;
  areas: Area[];
}
export interface Value {
  value: number;
  why: Change[];
  /** What else it may be for all this seat knows. */
  may?: number[];
}
export interface Numbers {
  type: "numbers";
  id: string | number | null;
  model: string;
  /** By the labels of its card's cells. */
  numbers: Record<string, Value>;
}
export interface Account {
  type: "account";
  id: string | number | null;
  side: string;
  code: string;
  text: string;
  value: number;
  why: Change[];
}
export interface Measure {
  type: "measure";
  id: string | number | null;
  from: string | Point;
  to: string | Point;
  length_mm: number;
  ends: Point[];
  rule: string;
}
export interface Exact {
  exact: string;
  decimal: number;
}
export interface OddsRow extends Exact {
  value: number | string;
  /** The chance of this much or more, where it is a number. */
  at_least?: Exact;
}
export interface OddsStep extends Exact {
  label: string;
  rule: string;
}
export interface OddsCell extends Exact {
  note: string;
}
export interface OddsGrid {
  title: string;
  chooser: string;
  answerer: string;
  about: string;
  rows: string[];
  columns: string[];
  rule: string;
  cells: OddsCell[][];
  answers: number[];
  choice: number;
}
export interface OddsTable {
  question: string;
  arguments: Record<string, unknown>;
  means: Record<string, Exact>;
  parts: Record<string, OddsRow[]>;
  chances: Record<string, Exact>;
  steps: OddsStep[];
  rules: string[];
  /** What is taken for granted in it. */
  assumed: Note[];
  /** The units its words ("attackers") stand for; without a word, who acts and on whom. */
  who: Record<string, string[]>;
  grid?: OddsGrid;
}
export interface OddsReply {
  type: "odds";
  id: string | number | null;
  option: string;
  odds: OddsTable | null;
}
export interface Accepted {
  type: "accepted";
  id: string | number | null;
  version: number;
  /** Whether something was taken back at once. */
  done?: boolean;
}
export interface Trouble {
  type: "error";
  id: string | number | null;
  text: string;
  rule: string | null;
  code: string;
}
