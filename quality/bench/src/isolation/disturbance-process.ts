import { setPriority } from "node:os";
import { task, tell } from "../control-plane/child.ts";
import { disturbances } from "./disturbances.ts";
import { createSocketClient } from "./socket-client.ts";

export interface DisturbanceTask {
  readonly url: string;
  readonly name: string;
}

/** Asks again at each answer, on each connection, until it is ended. */
const { url, name } = await task<DisturbanceTask>();
setPriority(19);
const disturbance = disturbances[name];
if (disturbance === undefined) throw new Error(`unknown disturbance: ${name}`);
const { host } = new URL(url);
process.once("SIGTERM", () => process.exit(0));
tell({ isUnderWay: true });
await Promise.all(
  Array.from({ length: disturbance.connections }, async () => {
    const client = createSocketClient(url);
    for (;;) await client.send(disturbance.request(host));
  }),
);
