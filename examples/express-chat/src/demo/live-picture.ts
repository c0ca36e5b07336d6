import { setTimeout as delay } from "node:timers/promises";
import type { Customers } from "./customers.ts";
import type { Screen } from "./screen.ts";
import { tableOf } from "./table.ts";

/** How far something is. */
export interface Progress {
  readonly label: string;
  readonly done: number;
  readonly of: number;
}

/** Keeps the picture current: reads the wallets a few times a second, and redraws more often. */
export class LivePicture {
  progress: Progress | undefined;
  readonly #screen: Screen;
  readonly #groups: readonly Customers[];
  readonly #redrawing: NodeJS.Timeout;
  readonly #ending = new AbortController();

  constructor(screen: Screen, groups: readonly Customers[]) {
    this.#screen = screen;
    this.#groups = groups;
    this.#redrawing = setInterval(() => this.draw(), 100);
    void this.#read();
  }

  draw(): void {
    this.#screen.show(pictureOf(this.#groups, this.progress));
  }

  end(): void {
    this.#ending.abort();
    clearInterval(this.#redrawing);
  }

  async #read(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const visitors = this.#groups.flatMap((group) => group.visitors);
      // It is only a picture: a balance that cannot be read now is read a moment later.
      await Promise.all(visitors.map((visitor) => visitor.readBalance())).catch(() => {});
      await delay(250, undefined, { ref: false });
    }
  }
}

/** The table as it is now, how far the scenario is, and the answer that streams on each side. */
export function pictureOf(groups: readonly Customers[], progress: Progress | undefined): readonly string[] {
  const received = groups.map(({ side, visitors }) => {
    const streaming = visitors.find(({ incoming }) => incoming !== "");
    return streaming === undefined ? "" : streamLine(`${streaming.id}, ${side.name}`, streaming.incoming);
  });
  return ["", ...tableOf(groups), "", progress === undefined ? "" : barOf(progress), ...received];
}

const barWidth = 24;

function barOf({ label, done, of }: Progress): string {
  const filled = Math.round(barWidth * Math.min(1, done / of));
  return `${"█".repeat(filled)}${"░".repeat(barWidth - filled)}  ${label}`;
}

const lineWidth = 78;

function streamLine(who: string, words: string): string {
  const beginning = `${who.padEnd(18)} reads …`;
  return `${beginning}${words.slice(beginning.length - lineWidth)}`;
}
