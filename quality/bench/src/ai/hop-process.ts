import "./probe.ts";
import { Agent, createServer, request } from "node:http";
import { listen } from "../contest/listen.ts";
import { task, tell } from "../control-plane/child.ts";

export interface HopTask {
  readonly providerUrl: string;
}

const { providerUrl } = await task<HopTask>();
const agent = new Agent({ keepAlive: true });

/** The least that can stand between a client and a provider: Node's server and client, one piped into the other. Nobody is billed. */
const server = await listen(
  createServer((incoming, outgoing) => {
    const { authorization: _, host: __, connection: ___, ...headers } = incoming.headers;
    const { method, url: path } = incoming;
    const asked = request(providerUrl, { agent, method, path, headers });
    asked.on("error", () => outgoing.destroy());
    asked.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { "content-type": answer.headers["content-type"] });
      answer.on("error", () => outgoing.destroy()).pipe(outgoing);
    });
    outgoing.on("close", () => outgoing.writableFinished || asked.destroy());
    incoming.pipe(asked);
  }),
);
process.once("SIGTERM", () => process.exit());
tell({ url: server.url });
