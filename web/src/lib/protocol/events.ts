/** What happened, and why. */
import type { Words } from "./words";

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
  /** Not everybody is told. */
  private?: boolean;
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
  /** So many of the lowest dice do not count; negative: of the highest. */
  drop?: number;
}
