/** What players are asked. */
import type { Change, RollData } from "./events";
import type { Point, Words } from "./words";

export interface Choice {
  key: string;
  text: string;
  about: string[];
  data: Record<string, unknown>;
  label: Words;
  notes?: Note[];
}
/** What one should know to decide. */
export interface Note {
  text: Words;
  rule: string;
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
/** A move that is announced and not yet made: its path from where it began, and where the mover would be met. */
export interface Underway {
  path: Point[];
  x: number;
  y: number;
  facing: number;
  level: number;
}
interface Asked {
  seat: string;
  name: string;
  rule: string;
  about: string[];
  data: Record<string, unknown>;
  prompt: Words;
  notes?: Note[];
  /** Moves others have announced, by mover. */
  underway?: Record<string, Underway>;
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
  /** Levels one may choose to end on, and numbers of files a block may have; nothing where there is no choice. */
  levels?: number[];
  files?: number[];
  /** Whether the mover is a unit that goes as one, though it may bear the name of its only model. */
  block?: boolean;
  /** Whether a thing that is no model looks somewhere all the same: a machine, a piece of terrain. */
  turns?: boolean;
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
