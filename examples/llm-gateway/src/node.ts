import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { shutDownOnSignal } from "@creditgate/core";
import { createSqliteOutbox } from "@creditgate/sqlite";
import { createNodeFetch } from "./node-fetch.ts";
import { nodeListener } from "./node-listener.ts";
import { gatewayOf } from "./settings.ts";

const { OUTBOX_FILE: path, HOST: host = "127.0.0.1", PORT: port = "8790" } = process.env;
// In a file what was used is billed even if this process is killed before it could tell.
const outbox = path ? createSqliteOutbox({ path }) : undefined;
const { gate, gateway } = gatewayOf(process.env, { outbox }, createNodeFetch());
const server = createServer(nodeListener(gateway));
shutDownOnSignal({ process, server, gate, onClosed: async () => outbox?.close() });
await once(server.listen(Number(port), host), "listening");
console.log(`llm-gateway listening on http://${host}:${(server.address() as AddressInfo).port}`);
