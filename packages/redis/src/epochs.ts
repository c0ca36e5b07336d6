import type { SyncResponse } from "@creditgate/fleet";
import { Script } from "./script.ts";
import { tagEpoch } from "./tag-epoch.ts";

/** The number of hash tags by which accounts are shared out among the nodes of a cluster. */
export const tags = 256;

/** The key of what the accounts of a hash tag have in common. */
export function commonKey(name: string, tag: number): string {
  return `${name}:{cg${tag}}:e`;
}

/** Runs a script with these keys. */
export type RunScript = (script: Script, keys: string[], args: string[]) => Promise<unknown>;

/** Resolves with what the script returns of each hash tag: in one step, or in a cluster, whose nodes know their own keys only, in one for each. */
export async function ofAllTags(
  run: RunScript,
  script: Script,
  name: string,
  args: string[],
): Promise<readonly unknown[]> {
  const keys = Array.from({ length: tags }, (_, tag) => commonKey(name, tag));
  const parts = await run(script, keys, args)
    .then((all) => [all])
    .catch((error: unknown) => {
      if (!String(error).includes("CROSSSLOT")) throw error;
      return Promise.all(keys.map((key) => run(script, [key], args)));
    });
  return parts.flat();
}

const beginScript = new Script(`${tagEpoch}
local clock, run, epochs = clockOf(tonumber(ARGV[1])), runOf(), {}
for i, common in ipairs(KEYS) do
  epochs[i] = openTag(common, run, clock, ARGV[2], function() return false end) or ''
end
return cjson.encode(epochs)
`);

/** Begins an epoch, with its quarantine, for each hash tag that has none or that of another server. Resolves with the epochs of all. */
export function beginEpochs(run: RunScript, name: string, shiftMs: number): Promise<readonly unknown[]> {
  return ofAllTags(run, beginScript, name, [String(shiftMs), crypto.randomUUID()]);
}

/**
 * Gives a store that is new, or has lost its memory, one quarantine: the first answer in a new epoch begins the epochs of all hash tags.
 * Else each customer whose tag nobody has used since would wait for a quarantine of its own.
 */
export class Epochs {
  readonly #begin: () => Promise<readonly unknown[]>;
  /** Began with all others. */
  #begun: ReadonlySet<unknown> = new Set();
  #isBeginning = false;

  constructor(begin: () => Promise<readonly unknown[]>) {
    this.#begin = begin;
  }

  /** Resolves when the epochs have begun, or could not be: then another answer of the quarantine tries again. Never rejects. */
  async observe({ epoch, now, born }: SyncResponse, leaseMs: number): Promise<void> {
    if (now >= born + leaseMs || this.#isBeginning || this.#begun.has(epoch)) return;
    this.#isBeginning = true;
    try {
      this.#begun = new Set(await this.#begin());
    } catch {}
    this.#isBeginning = false;
  }
}
