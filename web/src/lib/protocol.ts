/** What travels between the table and the server. Lengths are millimetres, bearings compass degrees. */
export type * from "./protocol/parts";
export type * from "./protocol/scene";
export type * from "./protocol/told";
export type * from "./protocol/lists";
