/** What travels between the table and the server. Lengths are millimetres, bearings compass degrees. */
export type * from "./protocol/words";
export type * from "./protocol/scene";
export type * from "./protocol/questions";
export type * from "./protocol/events";
export type * from "./protocol/messages";
export type * from "./protocol/lists";
