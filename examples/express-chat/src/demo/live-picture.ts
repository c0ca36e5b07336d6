import { setTimeout as delay } from "node:timers/promises";
import type { Cast } from "./cast.ts";
import type { Screen } from "./screen.ts";
import { tableOf } from "./table.ts";

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
  readonly #casts: readonly Cast[];
  readonly #redrawing: NodeJS.Timeout;
  readonly #ending = new AbortController();

  constructor(screen: Screen, casts: readonly Cast[]) {
    this.#screen = screen;
    this.#casts = casts;
    this.#redrawing = setInterval(() => this.draw(), 100);
    void this.#read();
  }

  draw(): void {
    this.#screen.show(pictureOf(this.#casts, this.progress));
  }

  end(): void {
    this.#ending.abort();
    clearInterval(this.#redrawing);
  }

  async #read(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const visitors = this.#casts.flatMap((cast) => cast.visitors);
      // Only a picture: what it cannot read now it reads a moment later.
      await Promise.all(visitors.map((visitor) => visitor.readBalance())).catch(() => {});
      await delay(250, undefined, { ref: false });
    }
  }
}

/** The table as it is now, how far the act is, and what is being said on each side. */
export function pictureOf(casts: readonly Cast[], progress: Progress | undefined): readonly string[] {
  const heard = casts.map(({ side, visitors }) => {
    const speaking = visitors.find(({ hearing }) => hearing !== "");
    return speaking === undefined ? "" : hearingOf(`${speaking.id}, ${side.name}`, speaking.hearing);
  });
  return ["", ...tableOf(casts), "", progress === undefined ? "" : barOf(progress), ...heard];
}

const barWidth = 24;

function barOf({ label, done, of }: Progress): string {
  const filled = Math.round(barWidth * Math.min(1, done / of));
  return `${"█".repeat(filled)}${"░".repeat(barWidth - filled)}  ${label}`;
}

const lineWidth = 78;

function hearingOf(who: string, words: string): string {
  const beginning = `${who.padEnd(18)} hears …`;
  return `${beginning}${words.slice(beginning.length - lineWidth)}`;
}
