import { once } from "node:events";
import { createServer } from "node:http";
import { createClient } from "@creditgate/client";
import { readConfig } from "../../config.ts";
import { createStandInModel } from "../../stand-in-model.ts";
import { createAppByHand } from "./app.ts";

const { port } = readConfig(process.env);
const app = createAppByHand({ client: createClient(), llm: createStandInModel() });
const server = createServer(app).listen(port, "127.0.0.1");
await once(server, "listening");
const address = server.address();
const taken = typeof address === "object" && address !== null ? address.port : port;
console.log(`chat by hand listening on http://127.0.0.1:${taken}`);
process.on("SIGTERM", () => server.close(() => process.exit()));
