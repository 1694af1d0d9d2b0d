/** A move being tried out: the ghosts of a Place question, before anyone confirms them. */
import { carried, clamp, middleOf, pathLength, ranked, type Spot } from "./geometry";
import { frontOf, ghostsOf, trackOf, wheeled, wireOf, type Tried, type Verdict } from "./ghosts";
import { Latest } from "./latest.svelte";
import type { MatchStore } from "./match.svelte";
import type { Checked, Foot, Ghost, PlaceAsk, Placement, Point, Reach, Stand } from "./protocol";

export class Placing {
  ghosts = $state.raw<Record<string, Ghost>>({});
  /** Where a body is being carried before the server has said where it may stand. */
  wished = $state.raw<Record<string, Ghost>>({});
  placement = $state.raw<Placement | null>(null);
  verdict = $state.raw<Verdict | null>(null);
  reach = $state.raw<Reach | null>(null);
  /** Move one model instead of the body. */
  single = $state(false);
  mover = $state<string | null>(null);
  /** The level and the number of files that are wished, if any. */
  level = $state<number | null>(null);
  files = $state<number | null>(null);
  proposal = $state<string | null>(null);
  /** Proposals that came to nothing: there is no room, or no way. */
  empty = $state<string[]>([]);
  dragging = $state(false);
  readonly #latest = new Latest((error) => {
    this.wished = {};
    this.verdict = null; // nobody has judged what is drawn
    this.match.complain(error);
  });
  /** Whether what the rules found has been changed by hand: then it is carried on as it is. */
  #corrected = false;
  /** What a block had come to when it was taken hold of: the next steps add to it. */
  #from: Placement | null = null;
  /** The way a block was turned by hand, kept while it is carried on. */
  #facing: number | undefined;
  /** Corners of the way a single model goes, between its start and its end. */
  #corners: Record<string, Point[]> = {};

  constructor(private readonly match: MatchStore) {}

  get question(): PlaceAsk | null {
    const q = this.match.question;
    return q?.kind === "place" ? q : null;
  }
  get any(): boolean {
    return Object.keys(this.ghosts).length > 0;
  }
  get working(): boolean {
    return this.#latest.working;
  }
  get ready(): boolean {
    return this.placement !== null && this.verdict?.ok === true && !this.working;
  }

  clear(): void {
    this.#facing = undefined;
    this.#latest.forget();
    this.#corners = {};
    this.#corrected = false;
    this.#from = null;
    this.level = null;
    this.files = null;
    this.ghosts = {};
    this.wished = {};
    this.placement = null;
    this.verdict = null;
    this.reach = null;
    this.mover = null;
    this.proposal = null;
    this.empty = [];
    this.dragging = false;
    this.single = false;
  }

  /** The models that move: a mover may be a whole unit, which goes as a block. */
  get movers(): string[] {
    const troops = this.match.scene?.units ?? [];
    return (this.question?.movers ?? []).flatMap((id) => {
      const troop = this.block ? troops.find((unit) => unit.id === id) : undefined;
      return troop ? [...troop.models] : [id];
    });
  }
  /** Whether they go as a block: as the game's rules of formations say, not one by one. */
  get block(): boolean {
    const units = this.match.scene?.units ?? [];
    const named = (id: string) => units.some((unit) => unit.id === id) && (this.question?.block || !this.match.models.has(id));
    return (this.question?.movers ?? []).some(named);
  }
  /** The mover of the question a model belongs to. */
  #moverOf(model: string): string {
    const movers = this.question?.movers ?? [];
    return movers.includes(model) ? model : (this.match.models.get(model)?.unit ?? model);
  }

  /** Where each mover stands now: its ghost, else itself. */
  stands(): Record<string, Stand> {
    const found: Record<string, Stand> = {};
    for (const id of this.movers) {
      const ghost = this.ghosts[id];
      const pose = this.match.models.get(id)?.pose;
      if (ghost) found[id] = { x: ghost.x, y: ghost.y, facing: ghost.facing, level: ghost.level ?? 0 };
      else if (pose) found[id] = pose;
    }
    return found;
  }

  start(mover: string): void {
    this.mover = mover;
    this.#hold();
    this.proposal = null;
    this.#askReach(mover);
  }

  /** Go on from what is drawn, where the rules allow it. */
  #hold(): void {
    this.#from = this.verdict?.ok ? this.placement : null;
  }

  #askReach(mover: string): void {
    if (this.reach?.mover === mover || !this.match.measuring) return; // where measuring is forbidden nothing is drawn
    const era = this.#latest.era;
    this.reach = null;
    void this.match
      .request<Reach>({ type: "reach", mover: this.#moverOf(mover), name: this.question?.name })
      .then((found) => {
        if (era === this.#latest.era && (this.mover ?? mover) === mover) this.reach = { ...found, mover };
      })
      .catch(() => undefined);
  }

  /** The mover whose way is told, how far it goes and how far it may go (mm); null where nobody goes or may measure. */
  get way(): { id: string; gone: number; limit: number | null } | null {
    const ids = Object.keys(this.ghosts);
    const far = (one: string) => this.#far(one) ?? -1;
    const furthest = ids.reduce((best, one) => (far(one) > far(best) ? one : best), ids[0] ?? "");
    const id = this.mover && this.ghosts[this.mover] ? this.mover : (ids.find((one) => one === this.reach?.mover) ?? furthest);
    const gone = id ? this.#far(id) : null;
    if (!id || gone === null) return null;
    if (!this.match.measuring && !this.verdict?.ok) return null; // a ghost must not become a tape measure
    const limit = this.reach?.mover === id ? (this.reach.levels?.[this.ghosts[id]?.level ?? 0] ?? this.reach.left_mm) : null;
    return { id, gone, limit };
  }

  /** How far a mover goes (mm); a block goes as far as its rules count. */
  #far(id: string): number | null {
    const ghost = this.ghosts[id];
    const pose = this.match.models.get(id)?.pose;
    return ghost && pose ? (ghost.far ?? pathLength([[pose.x, pose.y], ...ghost.path])) : null;
  }

  /** Carry the mover (and its body) to a point. */
  carry(mover: string, to: Spot, facing?: number): void {
    const question = this.question;
    const board = this.match.scene?.table;
    if (!question || !board) return;
    const spot = { x: clamp(to.x, 0, board.width), y: clamp(to.y, 0, board.height) };
    if (this.single && !this.block && this.stands()[mover]) {
      this.#moveOne(mover, spot, facing);
      return;
    }
    // what is being set up, and a block that was turned by hand, keeps the way it was turned
    const kept = facing ?? this.#facing ?? (this.match.models.get(mover)?.pose ? undefined : this.ghosts[mover]?.facing);
    this.wished = this.#guess(mover, spot, kept);
    const goal = this.block ? this.#middle(mover, spot) : spot;
    this.#latest.later(() => this.#body(question, this.#moverOf(mover), goal, kept));
  }

  /** Put what moves at a point: of a block its middle. */
  put(mover: string, to: Spot): void {
    const stands = this.stands();
    const from = this.block ? stands[mover] : undefined;
    const middle = middleOf(Object.values(stands));
    this.carry(mover, from ? { x: to.x + from.x - middle.x, y: to.y + from.y - middle.y } : to);
  }

  /** Where the middle of a block is to come when one of its models is carried to a point. */
  #middle(mover: string, spot: Spot): Spot {
    const stands = this.stands();
    const from = stands[mover];
    if (!from) return spot;
    const middle = middleOf(Object.values(stands));
    return { x: spot.x + middle.x - from.x, y: spot.y + middle.y - from.y };
  }

  #guess(mover: string, spot: Spot, facing?: number): Record<string, Ghost> {
    const starts = this.stands();
    if (starts[mover]) return carried(starts, mover, spot, this.match.scene!.table);
    const movers = this.movers;
    const bases: Record<string, Foot> = {};
    for (const id of movers) {
      const base = this.match.models.get(id)?.base;
      if (base) bases[id] = base;
    }
    const inward = spot.y > this.match.scene!.table.height / 2 ? 180 : 0;
    return ranked(movers, bases, spot, facing ?? inward);
  }

  #moveOne(mover: string, spot: Spot, facing?: number): void {
    const old = this.ghosts[mover] ?? this.#still(mover);
    if (!old) return;
    const path: Point[] = [...(this.#corners[mover] ?? []), [spot.x, spot.y]];
    const ghost: Ghost = { ...spot, facing: facing ?? old.facing, path, level: this.level ?? old.level };
    this.#correct({ ...this.ghosts, [mover]: ghost }, { ...this.placement, [mover]: trackOf(ghost) }, [mover]);
  }

  /** What was changed by hand, to be judged; `settled` are those that may come to stand on another level. */
  #correct(ghosts: Record<string, Ghost>, placement: Placement, settled: string[] = []): void {
    this.#corrected = true;
    this.ghosts = ghosts;
    this.placement = placement;
    this.#latest.later(() => this.#check(placement, settled));
  }

  #still(mover: string): Ghost | null {
    const pose = this.match.models.get(mover)?.pose;
    return pose ? { x: pose.x, y: pose.y, facing: pose.facing, path: [], level: pose.level } : null;
  }

  /** Keep the end of a single model's way as a corner and go on from it. */
  bend(): void {
    const mover = this.mover;
    const ghost = mover ? this.ghosts[mover] : undefined;
    if (mover && ghost && this.single) this.#corners[mover] = [...(this.#corners[mover] ?? []), [ghost.x, ghost.y]];
  }

  /** Turn the mover, or everybody where they stand; a block as its rules let it. */
  turn(degrees: number): void {
    if (this.block || (this.question?.block && this.question.turns)) {
      this.#turnBlock(degrees);
      return;
    }
    const movers = this.single && this.mover ? [this.mover] : (this.question?.movers ?? []);
    const ghosts = { ...this.ghosts };
    const placement: Placement = { ...this.placement };
    for (const id of movers) {
      const ghost = ghosts[id] ?? this.#still(id);
      if (!ghost) continue;
      ghosts[id] = { ...ghost, facing: (ghost.facing + degrees + 360) % 360 };
      placement[id] = trackOf(ghosts[id]);
    }
    this.#correct(ghosts, placement);
  }

  /** Swing the body round its middle. */
  wheel(degrees: number): void {
    if (!this.question || this.block) return this.turn(degrees);
    const ghosts = wheeled(this.stands(), degrees);
    this.#correct(ghosts, wireOf(ghosts), Object.keys(ghosts));
  }

  /** Whether the movers may go one by one. */
  get loose(): boolean {
    return !this.block && this.movers.length > 1 && Object.keys(this.stands()).length > 0;
  }
  /** The level the mover is on, of those that can be chosen; null where there is nothing to choose. */
  get storey(): number | null {
    const stands = this.stands();
    const stand = stands[this.mover ?? ""] ?? Object.values(stands)[0];
    return this.question?.levels?.length && stand ? stand.level : null;
  }
  /** Go a level up or down, at the place where one stands. */
  climb(by: 1 | -1): void {
    const stands = this.stands();
    const mover = this.mover ?? Object.keys(stands)[0];
    const levels = this.question?.levels ?? [];
    const next = (this.level ?? this.storey ?? 0) + by;
    if (!mover || !stands[mover] || !levels.includes(next)) return;
    this.level = next;
    this.start(mover);
    this.carry(mover, stands[mover]);
  }

  /** How many files a block has that may be given another number of them. */
  get abreast(): number | null {
    const stands = Object.values(this.stands());
    return (this.question?.files?.length ?? 0) > 1 && stands.length ? frontOf(stands) : null;
  }
  /** Stand in more or fewer files, at the same place. */
  widen(by: 1 | -1): void {
    const counts = this.question?.files ?? [];
    const now = (this.working ? this.files : null) ?? this.abreast; // a second press may come before the first is judged
    const next = by === 1 ? counts.find((n) => n > (now ?? 0)) : counts.findLast((n) => now === null || n < now);
    if (next === undefined) return;
    this.files = next;
    this.#hold();
    const question = this.question!;
    const stands = this.stands();
    const mover = this.mover ?? this.movers[0];
    const stand = mover ? stands[mover] : undefined;
    if (!mover || !stand) return;
    const facing = this.match.models.get(mover)?.pose ? this.#facing : stand.facing;
    this.#latest.later(() => this.#body(question, this.#moverOf(mover), middleOf(Object.values(stands)), facing));
  }

  /** Turn a block: which way it can the rules say. */
  #turnBlock(degrees: number): void {
    const question = this.question;
    const stands = this.stands();
    const mover = this.mover ?? this.movers[0];
    const stand = mover ? stands[mover] : undefined;
    if (!question || !mover || !stand) return;
    const facing = (stand.facing + degrees + 360) % 360;
    this.#facing = facing;
    if (!this.dragging) this.#hold();
    this.#latest.later(() => this.#body(question, this.#moverOf(mover), middleOf(Object.values(stands)), facing));
  }

  /** Turn so that the mover looks at a point. */
  face(mover: string, facing: number): void {
    const ghost = this.ghosts[mover] ?? this.#still(mover);
    if (ghost) this.turn(facing - ghost.facing);
  }

  /** Try a proposal; where there is no such placement, those that follow, until one is legal. */
  propose(name: string, next: string[] = []): void {
    const question = this.question;
    if (!question) return;
    this.proposal = name;
    this.#facing = undefined;
    const lead = this.movers.find((id) => this.match.models.get(id)?.pose);
    if (lead) this.#askReach(this.mover ?? lead);
    this.#latest.later(async () => {
      for (const proposal of [name, ...next]) {
        const reply = await this.#judged({ type: "propose", name: question.name, proposal });
        if (this.#latest.waiting) return; // something else is wanted by now
        if (!reply.ok) this.empty = [...this.empty, proposal];
        if (!reply.ok && proposal !== next.at(-1) && next.length) continue;
        this.proposal = proposal;
        this.#corrected = false;
        this.#take(reply, reply.ok ? { propose: proposal } : null);
        return;
      }
    });
  }

  async confirm(): Promise<void> {
    if (!this.placement || !this.ready) return;
    if (await this.match.answer(this.placement)) this.clear();
  }

  async #body(question: PlaceAsk, mover: string, spot: Spot, facing?: number): Promise<void> {
    const kept = this.block ? this.#from : this.#corrected ? this.placement : null;
    const wishes = {
      ...(facing === undefined ? {} : { facing }),
      ...(this.level === null ? {} : { level: this.level }),
      ...(this.files === null ? {} : { files: this.files }),
      ...(kept ? { kept } : {}),
    };
    const reply = await this.#judged({ type: "body", name: question.name, mover, x: spot.x, y: spot.y, ...wishes });
    if (reply.placement || reply.ghost) {
      this.#take(reply, null);
      return;
    }
    // no body the server knows of fits there: judge the formation as it was carried
    const wished = this.wished;
    if (!Object.keys(wished).length) return;
    this.ghosts = wished;
    this.wished = {};
    this.placement = wireOf(wished);
    await this.#check(this.placement);
  }

  async #check(placement: Placement, settled: string[] = []): Promise<void> {
    const question = this.question;
    if (!question) return;
    const reply = await this.#judged({ type: "check", name: question.name, value: placement, ...(settled.length ? { settled } : {}) });
    if (reply.placement && !this.#latest.waiting) {
      this.placement = reply.placement;
      this.ghosts = reply.ghost ?? ghostsOf(reply.placement, (id) => this.#still(id), reply.far);
    }
    this.#judge(reply);
  }

  /** What the rules say; nothing at all once something else is asked. */
  async #judged(message: Record<string, unknown>): Promise<Checked> {
    const era = this.#latest.era;
    const reply = await this.match.request<Checked>(message);
    if (era !== this.#latest.era) throw new Late();
    return reply;
  }

  #take(reply: Checked, fallback: Placement | null): void {
    this.placement = reply.placement ?? fallback;
    const drawn = reply.ghost ?? (this.placement ? ghostsOf(this.placement, (id) => this.#still(id), reply.far) : {});
    this.ghosts = drawn;
    this.wished = {};
    this.#corners = {};
    this.#judge(reply);
  }

  #judge(reply: Checked): void {
    const refusal = reply.refusal;
    this.verdict = {
      ok: reply.ok,
      text: refusal?.text ?? null,
      rule: refusal?.rule ?? "",
      mover: refusal?.mover ?? null,
      notes: reply.ok ? (reply.notes ?? []) : [],
    };
  }

  /** Ask again what was asked when the connection was lost. */
  again = () => this.#latest.again();

  /** Take up what was tried before, and have it judged afresh. */
  restore(tried: Tried): void {
    this.ghosts = tried.ghosts;
    this.placement = tried.placement;
    this.#latest.later(() => this.#check(tried.placement));
  }
}

/** An answer of the rules to a question that is no longer asked. */
class Late extends Error {}
