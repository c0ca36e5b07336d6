import { testSharedStore } from "@creditgate/conformance";
import type { SyncResponse } from "@creditgate/fleet";
import type { Miniflare } from "miniflare";
import { afterAll, describe, it } from "vitest";
import { bundleWorker, startWorkerd, workerOptions } from "./workerd.ts";

const workerd: Miniflare = startWorkerd([
  {
    ...workerOptions("contracts", await bundleWorker("contracts.ts")),
    durableObjects: { CONTRACTS: { className: "Contracts", useSQLite: true } },
  },
]);

async function call(object: string, method: string, ...values: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ object, method, values });
  const response = await workerd.dispatchFetch("http://contracts.example", { method: "POST", body });
  const answer = (await response.json()) as { readonly returned?: unknown; readonly stack?: string };
  if (!response.ok) throw new Error(answer.stack);
  return answer.returned;
}

// Tests are declared by their names, which the contracts know in workerd.
const cases = (await call("names", "cases")) as readonly string[];

afterAll(() => workerd.dispose());

testSharedStore(
  "the storage of an object, read anew for each sync",
  {
    restarts: false,
    stepsBack: true,
    seeds: 3,
    create() {
      const object = crypto.randomUUID();
      let shiftMs = 0;
      return {
        store: {
          exchange: async (account, request) =>
            (await call(object, "exchange", account, request, shiftMs)) as SyncResponse,
        },
        advance(ms) {
          shiftMs += ms;
        },
        stepBack(ms) {
          shiftMs -= ms;
        },
      };
    },
  },
  { describe, it },
);

describe("in workerd", () => {
  it.each(cases)("%s", async (name) => {
    await call(crypto.randomUUID(), "run", name);
  });
});
