/** The part of the table that is seen: d3-zoom's transform and how many pixels a millimetre has. */
import { select } from "d3-selection";
import { zoom, zoomIdentity, type ZoomBehavior, type ZoomTransform } from "d3-zoom";
import type { Spot } from "../lib/geometry";

export const MARGIN = 46;

export class View {
  transform = $state.raw<ZoomTransform>(zoomIdentity);
  width = $state(800);
  height = $state(600);
  #zoom: ZoomBehavior<SVGSVGElement, unknown> | null = null;
  #svg: SVGSVGElement | null = null;

  constructor(private readonly board: () => { width: number; height: number }) {}

  get box(): string {
    const { width, height } = this.board();
    return `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`;
  }
  /** Pixels a millimetre. */
  get scale(): number {
    const { width, height } = this.board();
    return Math.min(this.width / (width + 2 * MARGIN), this.height / (height + 2 * MARGIN)) * this.transform.k;
  }
  /** Millimetres for so many pixels, whatever the zoom. */
  px(pixels: number): number {
    return pixels / this.scale;
  }

  attach(svg: SVGSVGElement, mayPan: (event: MouseEvent | TouchEvent) => boolean): () => void {
    this.#svg = svg;
    const { width, height } = this.board();
    const behaviour = zoom<SVGSVGElement, unknown>()
      .scaleExtent([0.7, 14])
      .translateExtent([
        [-width * 0.6, -height * 0.6],
        [width * 1.6, height * 1.6],
      ])
      .filter((event: MouseEvent | TouchEvent | WheelEvent) => {
        if (event.type === "wheel") return true;
        return !("button" in event && event.button) && mayPan(event);
      })
      .on("zoom", (event: { transform: ZoomTransform }) => (this.transform = event.transform));
    this.#zoom = behaviour;
    select(svg).call(behaviour).on("dblclick.zoom", null);
    const watch = new ResizeObserver(() => {
      this.width = svg.clientWidth || 1;
      this.height = svg.clientHeight || 1;
    });
    watch.observe(svg);
    return () => {
      watch.disconnect();
      select(svg).on(".zoom", null);
    };
  }

  zoomBy(factor: number): void {
    if (this.#svg && this.#zoom) select(this.#svg).call(this.#zoom.scaleBy, factor);
  }
  fit(): void {
    if (this.#svg && this.#zoom) select(this.#svg).call(this.#zoom.transform, zoomIdentity);
  }
  /** Bring a point of the picture into the middle where it is out of sight. */
  show(at: Spot): void {
    if (!this.#svg || !this.#zoom) return;
    const [x, y] = this.transform.apply([at.x, at.y]);
    const { width, height } = this.board();
    if (x < 0 || y < 0 || x > width || y > height) select(this.#svg).call(this.#zoom.translateTo, at.x, at.y);
  }
}
