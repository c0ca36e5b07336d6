import type { Awaitable } from "@creditgate/core";
import { createFleetOutbox, type OutboxStore } from "@creditgate/fleet";
import { createFleetOperator, type Decided, type OutboxOperator } from "@creditgate/fleet/operator";
import { FileStore } from "./file-store.ts";
import { outboxSettings } from "./options.ts";
import { checkFile, listFile } from "./schema.ts";

/** The next process sets anew for how long it remembers what was delivered. */
const forever = Number.MAX_SAFE_INTEGER;

/** What operators do with the outbox in the file at `path`. `list` works while a process owns the file; the rest needs it stopped. */
export function sqliteOperator(path: string): OutboxOperator {
  const list: OutboxStore["list"] = async (after) => (after === undefined ? listFile(path) : []);
  return {
    list: () => createFleetOperator({ list, request: async () => {} }).list(),
    retry: (ids, reason) => changing(path, list, (operator) => operator.retry(ids, reason)),
    resolve: (ids, resolution) => changing(path, list, (operator) => operator.resolve(ids, resolution)),
  };
}

/** Owns the file meanwhile, and does what is decided as the process does it. */
async function changing(
  path: string,
  list: OutboxStore["list"],
  change: (operator: OutboxOperator) => Awaitable<Decided>,
): Promise<Decided> {
  checkFile(path);
  const store = new FileStore(outboxSettings({ path }));
  const outbox = createFleetOutbox(store, { process: "operator" });
  try {
    await outbox.recover(forever);
    const operator = createFleetOperator({
      list,
      request: (requests) =>
        store.atOnce(async () => {
          await store.request(requests);
          await outbox.fleet.heartbeat(forever);
        }),
    });
    return await change(operator);
  } finally {
    await outbox.close();
  }
}
