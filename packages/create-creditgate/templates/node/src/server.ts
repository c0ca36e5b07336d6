import { createServer } from "node:http"; //? express|hono
import { shutDownOnSignal } from "@creditgate/core";
import { getRequestListener } from "@hono/node-server"; //? hono
import { app } from "./app.ts";
import { gate, onClosed } from "./gate.ts";

const host = process.env.HOST || "127.0.0.1";
const port = Number(process.env.PORT || 3000);

const server = createServer(app); //? express
const server = createServer(getRequestListener(app.fetch)); //? hono
server.listen(port, host, () => console.log(`listening on http://${host}:${port}`)); //? express|hono
await app.listen({ host, port }); //? fastify
console.log(`listening on http://${host}:${port}`); //? fastify

// SIGTERM and SIGINT: answers in flight end, what they used is billed, the process exits.
shutDownOnSignal({ process, server, gate, onClosed }); //? !fastify
shutDownOnSignal({ process, server: app.server, gate, onClosed }); //? fastify
