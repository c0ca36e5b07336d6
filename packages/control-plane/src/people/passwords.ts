import { hash, verify } from "@node-rs/argon2";
import { Problem } from "../http/problem.ts";

/** Argon2id with 19 MiB and two passes: what OWASP asks for at least. The library's default is this algorithm. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * The hash of a random password, at the same cost: without an account as much is computed as with one, so that the
 * time reveals nothing.
 */
const ofNobody =
  "$argon2id$v=19$m=19456,t=2,p=1$aVpIupuquXsfS3lkabke1g$GlN/P2bi5XkiZE7aFupBX9kRBME52+Sw+IC8saASEcM";

/** Who waits for a password: a person who is known by a session, a link or a device, or anyone. */
type PasswordLane = "known" | "strangers";

/** Each takes a thread and 19 MiB. Two threads are left for files and names, and one of ours to persons who are known. */
const atOnce: Readonly<Record<PasswordLane, number>> = { known: 2, strangers: 1 };
const waitingAtMost = 50;

/** Passwords as they are stored. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Whether it is the password; the same work where there is none. */
  verify(stored: string | null | undefined, password: string, lane?: PasswordLane): Promise<boolean>;
}

/** Bounds what is computed at once; beyond it a 503. */
export function createPasswords(compute: typeof verify = verify): Passwords {
  const queues: Readonly<Record<PasswordLane, (() => void)[]>> = { known: [], strangers: [] };
  const running: Record<PasswordLane, number> = { known: 0, strangers: 0 };
  const hasRoom = (lane: PasswordLane): boolean =>
    running[lane] < atOnce[lane] && running.known + running.strangers < atOnce.known;

  const startNext = (): void => {
    for (const lane of ["known", "strangers"] as const) {
      while (hasRoom(lane) && queues[lane].length > 0) {
        running[lane] += 1;
        queues[lane].shift()?.();
      }
    }
  };

  async function inTurn<Result>(lane: PasswordLane, work: () => Promise<Result>): Promise<Result> {
    const queue = queues[lane];
    if (!hasRoom(lane)) {
      if (queue.length >= waitingAtMost) {
        throw new Problem(503, "overloaded", "Too many are signing in. Try again.", {
          headers: { "retry-after": "1" },
          isHeldBack: true,
        });
      }
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running[lane] += 1;
    try {
      return await work();
    } finally {
      running[lane] -= 1;
      startNext();
    }
  }

  return {
    hash: (password) => inTurn("known", () => hash(normal(password), cost)),
    async verify(stored, password, lane = "known") {
      const isRight = await inTurn(lane, () => compute(stored ?? ofNobody, normal(password)));
      return isRight && stored !== null && stored !== undefined;
    },
  };
}

/** The same characters, however a keyboard composes them. */
function normal(password: string): string {
  return password.normalize("NFKC");
}
