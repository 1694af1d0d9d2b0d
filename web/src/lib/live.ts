/** The WebSocket of one seat: requests with answers, states as they come, and coming back after a break. */
import { Problem } from "./api";
import { mark } from "./mark";
import type { Lang, Reply, State, Trouble } from "./protocol";

export type Status = "connecting" | "open" | "lost" | "restarting" | "refused";
type Waiting = { done: (reply: Reply) => void; fail: (problem: Problem) => void };

const LONGEST = 8000;
/** How often the server is asked whether it is there, and after how long a silence it is not (ms). */
const BEAT = 15_000;
const SILENCE = 40_000;
/** The server's words for a link that leads nowhere, and for being stopped, perhaps for a moment. */
const NO_SEAT = 4404;
const RESTART = 1012;

export class Live {
  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #next = 0;
  #pause = 250;
  #closed = false;
  #heard = false;
  #restarting = false;
  #heardAt = 0;
  readonly #beating: ReturnType<typeof setInterval>;

  constructor(
    readonly token: string,
    private readonly onState: (state: State) => void,
    private readonly onStatus: (status: Status) => void,
    private readonly lang: () => Lang,
  ) {
    this.#beating = setInterval(() => this.#beat(), BEAT);
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#beating);
    this.#socket?.close();
  }

  /** Send a message and wait for what answers it; an error message is thrown as a Problem. */
  ask<T extends Reply>(message: Record<string, unknown>): Promise<T> {
    const socket = this.#socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Problem(mark("The connection is lost; it comes back by itself."), "", "offline"));
    }
    const id = String(++this.#next);
    return new Promise<T>((done, fail) => {
      this.#waiting.set(id, { done: done as (reply: Reply) => void, fail });
      socket.send(JSON.stringify({ ...message, id, lang: this.lang() }));
    });
  }

  /** A connection can die without a word, when a machine sleeps or a network changes: ask, and begin anew if nothing comes. */
  #beat(): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.#heardAt < SILENCE) {
      socket.send(JSON.stringify({ type: "ping", id: String(++this.#next), lang: this.lang() }));
      return;
    }
    socket.onmessage = socket.onclose = null;
    socket.close();
    this.#lost(false);
  }

  #connect(): void {
    this.onStatus(this.#restarting ? "restarting" : "connecting");
    this.#heardAt = Date.now();
    const base = new URL(`api/seats/${encodeURIComponent(this.token)}/live`, document.baseURI);
    base.protocol = base.protocol === "https:" ? "wss:" : "ws:";
    base.searchParams.set("lang", this.lang());
    const socket = new WebSocket(base);
    this.#socket = socket;
    socket.onopen = () => this.onStatus("open");
    socket.onmessage = (event) => this.#hear(JSON.parse(String(event.data)) as State | Reply);
    socket.onclose = (event) => this.#lost(event.code === NO_SEAT, event.code === RESTART);
  }

  #hear(message: State | Reply): void {
    this.#heard = true;
    this.#restarting = false;
    this.#heardAt = Date.now();
    this.#pause = 250;
    if (message.type === "state") {
      this.onState(message as State);
      return;
    }
    const id = "id" in message ? message.id : undefined;
    const waiting = id === undefined ? undefined : this.#waiting.get(String(id));
    if (!waiting) return;
    this.#waiting.delete(String(id));
    if (message.type === "error") {
      const trouble = message as Trouble;
      waiting.fail(new Problem(trouble.text, trouble.rule ?? "", trouble.code));
    } else waiting.done(message as Reply);
  }

  #lost(forGood: boolean, restarting = false): void {
    for (const waiting of this.#waiting.values()) {
      waiting.fail(new Problem(mark("The connection was lost before the server answered."), "", "offline"));
    }
    this.#waiting.clear();
    if (this.#closed) return;
    if (forGood) {
      this.onStatus("refused");
      return;
    }
    this.#restarting ||= restarting;
    this.onStatus(this.#restarting ? "restarting" : this.#heard || this.#pause > 2000 ? "lost" : "connecting");
    setTimeout(() => {
      if (!this.#closed) this.#connect();
    }, this.#pause);
    this.#pause = Math.min(LONGEST, this.#pause * 2);
  }
}
