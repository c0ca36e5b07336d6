import { setTimeout as delay } from "node:timers/promises";
import type { Screen } from "./screen.ts";
import { tableOf } from "./table.ts";
import type { Visitor } from "./visitor.ts";

/** How far something is. */
export interface Progress {
  readonly label: string;
  readonly done: number;
  readonly of: number;
}

/** Keeps the picture on the screen true: reads the wallets a few times a second, and redraws more often. */
export class LivePicture {
  progress: Progress | undefined;
  readonly #screen: Screen;
  readonly #visitors: readonly Visitor[];
  readonly #redrawing: NodeJS.Timeout;
  readonly #ending = new AbortController();

  constructor(screen: Screen, visitors: readonly Visitor[]) {
    this.#screen = screen;
    this.#visitors = visitors;
    this.#redrawing = setInterval(() => this.draw(), 100);
    void this.#read();
  }

  draw(): void {
    const speaking = this.#visitors.find(({ hearing }) => hearing !== "");
    this.#screen.show([
      "",
      ...tableOf(this.#visitors),
      "",
      this.progress === undefined ? "" : barOf(this.progress),
      speaking === undefined ? "" : `${speaking.id} hears  …${speaking.hearing.slice(-58)}`,
    ]);
  }

  /** Reads the wallets once more and leaves the table as it is then, without what is only of the moment. */
  async keep(): Promise<void> {
    await this.#refresh();
    this.#screen.show(["", ...tableOf(this.#visitors), ""]);
    this.#screen.keep();
    this.progress = undefined;
  }

  end(): void {
    this.#ending.abort();
    clearInterval(this.#redrawing);
  }

  async #read(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      // Only a picture: what it cannot read now it reads a moment later.
      await this.#refresh().catch(() => {});
      await delay(200, undefined, { ref: false });
    }
  }

  async #refresh(): Promise<void> {
    await Promise.all(this.#visitors.flatMap((visitor) => [visitor.readBalance(), visitor.readStanding()]));
  }
}

const barWidth = 24;

function barOf({ label, done, of }: Progress): string {
  const filled = Math.round(barWidth * Math.min(1, done / of));
  return `${"█".repeat(filled)}${"░".repeat(barWidth - filled)}  ${label}`;
}
