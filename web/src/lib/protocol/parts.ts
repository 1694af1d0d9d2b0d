/** What the page's types are made of, and what is told as plain data. */
import type { Change, Accepted, Account, Around, Checked, Measure, NumberAsk, Numbers, OddsReply, OrderAsk, PickAsk, PlaceAsk, Reach, RollAsk, Sight, SplitAsk, Trouble } from "./told";

export type Lang = "en" | "fr";
/** A sentence in both languages. */
export type Words = Record<Lang, string>;
export type Point = [number, number];
export type Placement = Record<string, unknown>;
export type Question = PickAsk | PlaceAsk | SplitAsk | OrderAsk | NumberAsk | RollAsk;
export interface Result {
  winner: string | null;
  why: string;
  rule: string;
  score?: Record<string, number>;
  text?: Words;
}
export interface Track {
  path: Point[];
  facing?: number;
  level?: number;
}
/** The data of a log entry of kind "roll". */
export interface RollData {
  name: string;
  sides: number;
  faces: number[];
  sense: RollAsk["sense"];
  plus?: number;
  plus_why?: Change[];
  total?: number;
  need?: number;
  need_why?: Change[];
  /** Of several dice: each is compared by itself; else their sum is. */
  each?: boolean;
  /** The face that spoilt the roll, whatever it came to. */
  spoilt?: number;
  /** So many of the lowest dice do not count; negative: of the highest. */
  drop?: number;
}
export type Reply = Accepted | Checked | Reach | Sight | Around | Numbers | Account | Measure | OddsReply | Trouble | { type: string; id?: string };
