/** One match as this browser sees it: the newest state, the log, what is looked at and chosen. */
import * as api from "./api";
import { common, openly } from "./common";
import { byFinger } from "./finger";
import { halfOf, keepHalf, someOf } from "./halfway";
import { recall } from "./links";
import { Live, type Status } from "./live";
import { mark } from "./mark";
import { firstAbout, optionsOf } from "./options";
import { lying, stale } from "./rolls";
import type { Accepted, Choice, Figure, LogEntry, Question, Reply, Scene, State, Troop, Words } from "./protocol";
import { settings } from "./settings.svelte";
import { dictionary } from "./words.svelte";

export type Tool = "hand" | "measure" | "sight";

/** Longer lists begin with what is selected on the table. */
const MANY = 9;
/** How many entries the dice tray remembers at most. */
const LYING = 200;

export interface Notice {
  text: Words | string;
  rule: string;
}

/** Chairs at this screen: one seat, or several people who share it. */
interface Chair {
  token: string;
  live: Live;
  state: State | null;
  log: LogEntry[];
}

export class MatchStore {
  chairs: Chair[] = [];
  #at = $state(0);
  state = $state.raw<State | null>(null);
  log = $state.raw<LogEntry[]>([]);
  status = $state<Status>("connecting");
  notice = $state.raw<Notice | null>(null);
  busy = $state(false);
  game = $state("");
  title = $state.raw<Words | string>("");
  seat = $state<string | null>(null);
  role = $state("player");
  /** The moment looked at; null is now. */
  moment = $state<number | null>(null);
  #past = $state.raw<Scene | null>(null);
  #pastAt = $state<number | null>(null);
  selected = $state<string | null>(null);
  hovered = $state<string | null>(null);
  /** The option under the pointer or the focus. */
  pointed = $state<string | null>(null);
  /** The option a finger pointed at: the next tap on it chooses it. */
  tapped = $state<string | null>(null);
  /** Options ticked where several may be. */
  ticked = $state<string[]>([]);
  /** How many answers were given at this screen. */
  given = $state(0);
  tool = $state<Tool>("hand");
  /** Which way round the table lies; null is with one's own side near. */
  turned = $state<boolean | null>(null);
  /** What was told with the last dice: they lie in the tray until others are rolled after a new answer. */
  fresh = $state.raw<LogEntry[]>([]);
  /** A seat at this screen must be handed over before its secrets are shown. */
  curtain = $state<string | null>(null);

  scene = $derived<Scene | null>(this.moment === null ? (this.state?.scene ?? null) : (this.#past ?? this.state?.scene ?? null));
  /** What is asked now, whichever moment is looked at. */
  #open = $derived<Question | null>(this.state?.pending.find((q) => this.#mine(q.seat)) ?? null);
  question = $derived<Question | null>(this.moment === null ? this.#open : null);
  models = $derived<Map<string, Figure>>(new Map(this.scene?.models.map((m) => [m.id, m])));
  units = $derived<Map<string, Troop>>(new Map(this.scene?.units.map((u) => [u.id, u])));
  colours = $derived<Map<string, number>>(new Map(this.scene?.sides.map((s) => [s.id, s.colour])));
  flipped = $derived.by(() => {
    if (this.turned !== null) return this.turned;
    const zone = this.scene?.zones.find((z) => z.side === this.seat && z.kind === "deployment");
    if (!zone || !this.scene) return false;
    const ys = zone.points.map(([, y]) => y);
    return (Math.min(...ys) + Math.max(...ys)) / 2 > this.scene.table.height / 2;
  });
  /** Whether this seat may add words to the dice now: the match begins when all have. */
  speaking = $derived(this.moment === null && this.seat !== null && (this.state?.gathering?.includes(this.seat) ?? false));
  /** Options of the question by the things on the table they are about. */
  lit = $derived.by<Map<string, Choice[]>>(() => {
    const found = new Map<string, Choice[]>();
    for (const option of optionsOf(this.question)) {
      for (const id of option.about) found.set(id, [...(found.get(id) ?? []), option]);
    }
    return found;
  });

  /** The options in the order they are listed: of a long list first those about what is selected. */
  offered = $derived.by<Choice[]>(() => {
    const options = optionsOf(this.question);
    const unit = this.selected && (this.models.get(this.selected)?.unit ?? this.selected);
    if (!unit || options.length <= MANY) return options;
    const own = new Set([unit, this.selected, ...(this.units.get(unit)?.models ?? [])]);
    return firstAbout(options, own);
  });

  #mine(seat: string): boolean {
    return this.seat === null || this.seat === seat;
  }

  get token(): string {
    return this.chairs[this.#at]?.token ?? "";
  }
  get shared(): boolean {
    return this.chairs.length > 1;
  }
  get measuring(): boolean {
    return this.state?.measuring ?? this.#measuring;
  }
  get version(): number {
    return this.state?.version ?? 0;
  }
  /** What is asked, as far as a half-made answer is concerned: others who answer too do not change it. */
  get asked(): string {
    return `${askedAt(this.state)} ${this.#open?.name ?? ""} ${this.#open?.seat ?? ""}`;
  }
  /** How long the timeline is. */
  get answers(): number {
    return this.state?.answers ?? 0;
  }

  /** Sit down with the secret links given. */
  async sit(tokens: string[]): Promise<void> {
    const infos = await Promise.all(tokens.map((token) => api.seatInfo(token)));
    const info = infos[0]!;
    this.title = info.title ?? "";
    recall(info, tokens);
    this.game = info.game;
    this.seat = info.seat;
    this.role = info.role;
    void settings.at(info.game);
    try {
      dictionary.texts = await api.texts(info.game);
    } catch {
      // codes are then shown by their last word
    }
    void api.games().then((all) => (this.#measuring = all.find((g) => g.id === info.game)?.premeasure ?? false));
    this.chairs = tokens.map((token, i) => {
      const chair: Chair = { token, state: null, log: [], live: undefined as unknown as Live };
      chair.live = new Live(
        token,
        (state) => this.#heard(i, state),
        (status) => {
          if (i === this.#at) this.status = status;
        },
        () => dictionary.lang,
      );
      return chair;
    });
    this.#seats = infos.map((i) => i.seat);
  }

  #measuring = $state(false);
  #seats: (string | null)[] = [];
  #shown = "";
  #answered = true;

  leave(): void {
    for (const chair of this.chairs) chair.live.close();
  }

  #heard(place: number, state: State): void {
    const chair = this.chairs[place];
    if (!chair) return;
    const whole = state.since === 0 || !chair.state;
    const fresh = whole ? [] : state.log;
    chair.log = whole ? state.log : [...chair.log.slice(0, state.since), ...state.log];
    chair.state = state;
    const mine = this.chairs[this.#at];
    if (place === this.#at) this.#show(chair, fresh);
    else if (mine?.state) this.#draw(mine, mine.state);
    if (this.shared) this.#handOver();
  }

  #show(chair: Chair, fresh: LogEntry[]): void {
    const state = chair.state;
    if (!state) return;
    const another = askedAt(state) !== askedAt(this.state) || chair.token !== this.#shown;
    const before = this.#shown === chair.token ? this.state : null;
    const asking = before?.undo.asked === this.seat && this.seat !== null && before.version === state.version;
    this.#shown = chair.token;
    this.#draw(chair, state);
    if (another) {
      this.ticked = halfOf(this, someOf(optionsOf(this.question).map((option) => option.key))) ?? [];
      this.point(null);
    }
    dictionary.names = state.names;
    dictionary.texts = { ...dictionary.texts, ...state.words };
    if (this.fresh.length) {
      const told = new Set(chair.log.slice(0, chair.log.length - fresh.length).map((entry) => entry.n)); // not what was taken back
      this.fresh = this.fresh.filter((entry) => told.has(entry.n));
    }
    if (fresh.some((entry) => entry.kind === "roll")) {
      this.fresh = this.#answered ? fresh : [...this.fresh, ...fresh].slice(-LYING);
      this.#answered = false;
    } else if (this.#answered && stale(this.fresh, chair.log)) this.fresh = [];
    if (!this.fresh.length) this.fresh = lying(chair.log);
    this.notice = asking && !state.undo.asked && !this.busy ? { text: mark("Not taken back: the opponent does not agree."), rule: "" } : null;
  }

  /** Where people share a screen, turn it to whoever must decide. */
  #handOver(): void {
    const now = this.chairs[this.#at]?.state;
    if (!now || this.#busyAt(this.#at)) return;
    const next = this.chairs.findIndex((chair, i) => chair.state && openedAt(chair.state) >= openedAt(now) && this.#busyAt(i));
    if (next < 0 || next === this.#at) return;
    const secret = together(now) && !now.gathering?.length;
    this.#at = next;
    this.seat = this.#seats[next] ?? null;
    if (secret) this.curtain = this.seat;
    this.#show(this.chairs[next]!, []);
  }

  /** What is shown of a chair: at a shared screen what all may see. */
  #draw(chair: Chair, state: State): void {
    const others = this.#others(state);
    this.state = others.length ? { ...state, scene: common(state.scene, others) } : state;
    this.log = others.length ? openly(chair.log) : chair.log;
  }

  /** The scenes of whoever looks on at this screen; nobody does behind the curtain, and in the end all is known. */
  #others(state: State): Scene[] {
    const alone = state.over || (state.pending.length > 0 && together(state));
    return alone ? [] : this.chairs.flatMap((chair, i) => (i !== this.#at && chair.state ? [chair.state.scene] : []));
  }

  /** Whether the person on a chair has something to do. */
  #busyAt(place: number): boolean {
    const state = this.chairs[place]?.state;
    return !!state && (state.pending.length > 0 || !!state.gathering?.includes(this.#seats[place] ?? ""));
  }

  // ------------------------------------------------------------------ asking the server

  request<T extends Reply>(message: Record<string, unknown>, chair = this.chairs[this.#at]): Promise<T> {
    if (!chair) return Promise.reject(new api.Problem(mark("There is no table here.")));
    return chair.live.ask<T>({ version: this.version, ...message });
  }

  /** Give an answer; what the rules refuse is shown and changes nothing. */
  async answer(value: unknown): Promise<boolean> {
    const question = this.question;
    if (!question || this.busy) return false;
    this.#answered = true;
    const done = await this.#do({ type: "answer", name: question.name, value });
    if (done) this.given++;
    return done;
  }

  undo = () => this.#do({ type: "undo" }, this.#lastToDecide);
  agreeUndo = () => this.#do({ type: "undo.agree" });
  refuseUndo = () => this.#do({ type: "undo.refuse" });
  speak = (text: string) => this.#do({ type: "words", text });
  /** Pass a kind of question by itself (true), be asked it always (false), or as usual (null). */
  setAutomatic = (kind: string, on: boolean | null) => this.#do({ type: "auto", kind, on });

  /** At this screen the newest decision is taken back, whoever took it. */
  get #lastToDecide(): Chair | undefined {
    const able = this.chairs.filter((chair) => chair.state?.undo.possible);
    return this.shared ? able.reduce<Chair | undefined>((last, chair) => (last && newer(last.state!.undo, chair.state!.undo) ? last : chair), undefined) : undefined;
  }
  /** Whether anybody at this screen may take something back, or ask for it. */
  get undoable(): boolean {
    return this.state?.undo.possible === true || this.#lastToDecide !== undefined;
  }

  /** How many answers would stand once the newest decision at this screen is taken back, or what is asked for. */
  get backTo(): number {
    return (this.#lastToDecide?.state ?? this.state)?.undo.to ?? -1;
  }

  async #do(message: Record<string, unknown>, chair = this.chairs[this.#at]): Promise<boolean> {
    this.busy = true;
    this.notice = null;
    try {
      let reply = await this.request<Accepted>(message, chair);
      if (message.type === "undo" && reply.done === false) {
        // who sits beside has been asked already
        for (const other of this.chairs) if (other !== chair) reply = await this.request<Accepted>({ type: "undo.agree" }, other);
      }
      await this.#reached(reply.version ?? 0);
      return true;
    } catch (error) {
      this.complain(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** The state that follows an accepted message comes by itself, a moment later. */
  async #reached(version: number): Promise<void> {
    for (let tries = 0; this.version < version && tries < 100; tries++) {
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  complain(error: unknown): void {
    const rule = error instanceof api.Problem ? error.rule : "";
    this.notice = { text: api.sentenceOf(error), rule };
  }

  // ------------------------------------------------------------------ looking

  /** Look at the table as it was after an answer; null is now. */
  async look(n: number | null): Promise<void> {
    if (n === null || n >= this.answers) {
      this.moment = null;
      this.#past = null;
      this.#pastAt = null;
      return;
    }
    const wanted = Math.max(0, n);
    this.moment = wanted;
    try {
      const tokens = [this.token, ...this.chairs.map((chair) => chair.token).filter((token) => token !== this.token)];
      const [past, ...others] = await Promise.all(tokens.map((token) => api.moment(token, wanted)));
      if (this.moment === wanted) {
        this.#past = common(past!.scene, others.map((other) => other.scene));
        this.#pastAt = wanted;
      }
    } catch (error) {
      this.moment = null;
      this.complain(error);
    }
  }

  /** Whether the moment to be looked at is still being fetched. */
  get looking(): boolean {
    return this.moment !== null && this.#pastAt !== this.moment;
  }

  /** The models a thing on the table stands for. */
  modelsOf(id: string): Figure[] {
    const unit = this.units.get(id);
    if (unit?.models.length) return unit.models.map((m) => this.models.get(m)).filter((m) => m !== undefined);
    const model = this.models.get(id);
    return model ? [model] : [...this.models.values()].filter((m) => m.unit === id);
  }

  /** The options of the question that a model on the table stands for. */
  optionsAt(model: string): Choice[] {
    const own = this.lit.get(model);
    if (own) return own;
    const unit = this.models.get(model)?.unit;
    return (unit && this.lit.get(unit)) || [];
  }

  /** Point at an option, or at none. */
  point(option: string | null): void {
    this.pointed = option;
    this.tapped = null;
  }

  /**
   * A click on an option. A finger cannot hover: where an option is about something on the table its first tap
   * points, as the mouse does, and the second chooses. Whether it was chosen.
   */
  async press(option: Choice, event: MouseEvent): Promise<boolean> {
    const first = byFinger(event) && this.tapped !== option.key;
    this.point(option.key);
    if (first && option.about.length && this.question?.kind === "pick" && this.question.most === 1) {
      this.tapped = option.key;
      return false;
    }
    await this.choose(option);
    return true;
  }

  /** Choose an option: at once where one is wanted, ticked where several may be. */
  async choose(option: Choice): Promise<void> {
    const question = this.question;
    if (question?.kind !== "pick") return;
    if (question.most === 1) {
      await this.answer(option.key);
      return;
    }
    if (this.ticked.includes(option.key)) this.ticked = this.ticked.filter((key) => key !== option.key);
    else if (this.ticked.length < question.most) this.ticked = [...this.ticked, option.key];
    keepHalf(this, this.ticked);
  }

  /** Tick whatever may be chosen. */
  tickAll(): void {
    this.ticked = optionsOf(this.question).map((option) => option.key);
    keepHalf(this, this.ticked);
  }

  get mayDecline(): boolean {
    const question = this.question;
    return question?.passable === true && question.kind !== "split" && question.kind !== "number";
  }

  decline = () => this.answer(this.question?.pass ?? null);
}

/** Whether others are asked the same, or were: nobody may look on. */
const together = (state: State) => state.together === true;

/** What all have heard of: each seat counts in its versions what it did in secret. */
const openedAt = (state: State) => state.opened ?? state.version;

/** Whether taking back the one takes back less; what was done openly came after a secret of the same moment. */
const newer = (one: State["undo"], other: State["undo"]) => one.to > other.to || (one.to === other.to && (other.secret === true || one.secret !== true));

const askedAt = (state: State | null) => state?.asked_at ?? state?.version ?? 0;
