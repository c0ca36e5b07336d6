// One command: a local control plane, and two calls to it.
import { readFile } from "node:fs/promises";
import { startControlPlane } from "@creditgate/control-plane/testing";
import { playCalls } from "./dist/play-calls.js";

// The real one, on a PostgreSQL of its own; its wallets are forgotten when this process ends.
const fixture = JSON.parse(await readFile(new URL("fixture.json", import.meta.url), "utf8"));
const controlPlane = await startControlPlane({ fixture });
const { baseUrl, apiKey, settled } = controlPlane;
try {
  await playCalls({ baseUrl, apiKey, settled, print: console.log });
} finally {
  await controlPlane.stop();
}
// The PostgreSQL that it has started would keep this process going.
process.exit();
