/** The scene: all that is drawn. Made by `make pages` from the server's types; not to be edited. */
import type { Point } from "./parts";
import type { Change } from "./told";

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
  why: Change[];
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
export interface Wounds {
  now: number;
  start: number;
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
  wounds: Wounds | null;
  states: Said[];
}
export interface Formation {
  files: number;
  ranks: number;
}
export interface Troop {
  id: string;
  name: string;
  side: string;
  models: string[];
  formation: Formation | null;
  outline: Point[] | null;
  states: Said[];
  tags: string[];
  card: string;
}
export interface Circle {
  x: number;
  y: number;
  radius: number;
}
export interface Zone {
  id: string;
  kind: string;
  text: string;
  points: Point[];
  side: string | null;
  circle: Circle | null;
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
export interface Step {
  code: string;
  text: string;
  now: boolean;
}
export interface Clock {
  turn: number;
  phase: string;
  phases: Step[];
  acting: string | null;
  turns: number | null;
}
export interface Cell {
  label: string;
  value: string;
}
export interface Grid {
  text: string;
  columns: string[];
  rows: string[][];
}
export interface Special {
  name: string;
  rule: string;
}
export interface Card {
  id: string;
  title: string;
  cells: Cell[];
  grids: Grid[];
  abilities: Special[];
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
