import { sleep } from "./time.ts";
import { pauseMs, type Work } from "./work.ts";

/** The client of a piece of work. */
interface Client {
  /** Settles when it has left; `undefined` before `leave()`. */
  readonly leaving: Promise<void> | undefined;
  /** It leaves soon, and may ask again at once. */
  leave(): void;
}

/** Creates a client that disconnects by `abort`. */
export function createClient(work: Work, abort: () => void): Client {
  const { clock, random, note, again } = work;
  let leaving: Promise<void> | undefined;
  const leave = async () => {
    await sleep(clock, random.chance(0.5) ? 0 : pauseMs(work));
    note("the client disconnects");
    abort();
    if (random.chance(0.7)) again();
  };
  return {
    get leaving() {
      return leaving;
    },
    leave() {
      leaving = leave();
    },
  };
}
