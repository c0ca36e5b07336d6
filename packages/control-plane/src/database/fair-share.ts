/** One organisation has as much under way as its share allows, and more has waited for as long as it may. */
export class BusyError extends Error {
  override readonly name = "BusyError" as const;
}

export interface FairShareOptions {
  /** What an organisation may have under way at once. */
  readonly slots: number;
  /** What an organisation may have waiting; more is refused at once. */
  readonly maxWaiting: number;
  /** How long it waits, in milliseconds. */
  readonly waitMs: number;
}

/** Divides the connections among organisations, so that one whose queries hang leaves connections to the others. */
export interface FairShare {
  /** Resolves when it is the organisation's turn, with what gives the turn back. Rejects with a `BusyError`. */
  take(orgId: bigint): Promise<() => void>;
  /** Does work in a turn. */
  run<T>(orgId: bigint, work: () => Promise<T>): Promise<T>;
}

interface Line {
  active: number;
  readonly waiting: Set<() => void>;
}

export function createFairShare({ slots, maxWaiting, waitMs }: FairShareOptions): FairShare {
  const lines = new Map<bigint, Line>();

  const leave = (orgId: bigint, line: Line) => (): void => {
    const [next] = line.waiting;
    if (next !== undefined) {
      // The turn passes on: `active` stays as it is.
      line.waiting.delete(next);
      next();
      return;
    }
    line.active -= 1;
    if (line.active === 0) lines.delete(orgId);
  };

  const wait = (line: Line): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.waiting.delete(start);
        reject(new BusyError(`${slots} requests of the organisation are under way, and none has ended.`));
      }, waitMs);
      line.waiting.add(start);
    });

  const take = async (orgId: bigint): Promise<() => void> => {
    const line = lines.get(orgId) ?? { active: 0, waiting: new Set() };
    lines.set(orgId, line);
    if (line.active < slots) line.active += 1;
    else if (line.waiting.size < maxWaiting) await wait(line);
    else throw new BusyError(`${maxWaiting} requests of the organisation are waiting already.`);
    return leave(orgId, line);
  };

  return {
    take,
    async run(orgId, work) {
      const end = await take(orgId);
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}
