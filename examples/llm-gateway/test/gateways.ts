import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import type { Gate } from "@creditgate/core";
import { Miniflare } from "miniflare";
import { buildPackages } from "../../started-example.ts";
import { deployedWorker } from "../../typed-worker.ts";
import { createNodeFetch } from "../src/node-fetch.ts";
import { nodeListener } from "../src/node-listener.ts";
import { gatewayOf, type Settings } from "../src/settings.ts";

export interface RunningGateway {
  readonly url: string;
  stop(): Promise<void>;
}

/** The same source in each runtime. */
export const gateways: readonly {
  readonly runtime: string;
  start(settings: Settings): Promise<RunningGateway>;
}[] = [
  { runtime: "Node", start: startOnNode },
  { runtime: "workerd", start: startInWorkerd },
];

export async function startOnNode(settings: Settings): Promise<RunningGateway & { readonly gate: Gate }> {
  const { gate, gateway } = gatewayOf(settings, {}, createNodeFetch());
  const server = createServer(nodeListener(gateway)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    gate,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await gate.close();
    },
  };
}

async function startInWorkerd(settings: Settings): Promise<RunningGateway> {
  await buildPackages("examples/llm-gateway");
  const worker = new Miniflare({
    ...(await deployedWorker(resolve(import.meta.dirname, ".."), settings)),
    // Past the proxy that miniflare puts in front, which compresses streams.
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    // It logs there what an operator must know.
    handleRuntimeStdio(stdout: Readable, stderr: Readable) {
      stdout.resume();
      stderr.resume();
    },
  });
  const { origin } = await worker.unsafeGetDirectURL();
  return { url: origin, stop: () => worker.dispose() };
}
