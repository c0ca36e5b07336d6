import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createClient, createTransport, endpoints } from "../src/index.ts";
import { rejection } from "./rejection.ts";
import { breakOff, closedPort, hangUp, json, raw, startServer } from "./test-server.ts";

const canary = "cg_live_canary/7f3a+9b21==";

/** All that a careless line of a log could show of a value. */
function shown(value: unknown): string {
  const everything = { depth: null, showHidden: true, showProxy: true, getters: true } as const;
  const stack = value instanceof Error ? `${value}${value.stack}${value.message}` : "";
  return `${inspect(value, everything)}${JSON.stringify(value)}${stack}`;
}

describe("the API key", () => {
  it("is not found in a client or a transport", async () => {
    const options = { baseUrl: "https://billing.example", apiKey: canary };
    const client = createClient(options);
    await client.fingerprint();
    expect(shown(client)).not.toContain(canary);
    expect(shown(createTransport(options))).not.toContain(canary);
    expect(await client.fingerprint()).not.toContain(canary);
  });

  it("travels in its header only", async () => {
    const server = await startServer(json(200, {}));
    const client = createClient({ baseUrl: server.url, apiKey: canary });
    await client.customers.createOrGet({ externalId: "alice", name: "Alice" });
    const [request] = server.received;
    const { "service-api-key": sent, ...others } = request?.headers ?? {};
    expect(sent).toBe(canary);
    expect(shown({ ...request, headers: others })).not.toContain(canary);
  });

  it.each([
    [
      "an error",
      raw(401, `{"detail":"${canary.replace("/", "\\/")} is unknown","deep":[{"key":"${canary}"}]}`),
    ],
    ["an error that is no JSON", raw(500, canary)],
    ["an error that writes it as a URL does", json(401, { detail: `/?key=${encodeURIComponent(canary)}` })],
    ["an error that names a field", json(422, { errors: [{ pointer: `/${canary}`, detail: canary }] })],
    ["an error whose words are cut within it", json(401, { detail: "x".repeat(295) + canary })],
    ["a redirect", raw(302, "", { location: `/?key=${encodeURIComponent(canary)}` })],
    ["a lost connection", hangUp],
    ["a truncated answer", breakOff(200)],
    ["an answer that does not fit", json(200, { balances: { c: canary } })],
  ])("is not found in the error after %s", async (name, answer) => {
    const server = await startServer(answer);
    const client = createClient({ baseUrl: server.url, apiKey: canary, retries: 0 });
    const error = await rejection(client.wallets.balance("alice"));
    expect(shown(error)).not.toContain(canary);
    expect(shown(error)).not.toContain(encodeURIComponent(canary));
    expect(shown(error)).not.toContain("cg_l");
    if (name === "an error") expect(error.problem?.detail).toBe("[api key] is unknown");
  });

  it("is not found in the error of a request that was never sent", async () => {
    const client = createClient({
      baseUrl: `http://127.0.0.1:${await closedPort()}`,
      apiKey: canary,
      retries: 0,
    });
    expect(shown(await rejection(client.send(endpoints.agentList)))).not.toContain(canary);
  });
});
