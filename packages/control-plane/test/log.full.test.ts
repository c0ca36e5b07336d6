import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { creditgate, openWorkplace, type Workplace } from "./serve-process.ts";

let database: TestDatabase;
let hand: Connection;
let workplace: Workplace;
beforeEach(async () => {
  database = await createMigratedDatabase();
  hand = connect(database.databaseUrl);
  workplace = await openWorkplace();
});
afterEach(async () => {
  await hand.close();
  await database.drop();
  await workplace.remove();
});

const headers = { "service-api-key": "cg_test_local", "creditgate-request-id": "the-one" };
const linesOf = (text: string): unknown[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Runs a server until it has answered a request for agents that it can answer, and one that it cannot. */
async function run(...options: readonly string[]) {
  const { fixture } = workplace;
  const args = [
    "serve",
    "--port",
    "0",
    "--fixture",
    fixture,
    "--public-url",
    "https://b.example",
    ...options,
  ];
  const server = creditgate(args, { DATABASE_URL: database.databaseUrl });
  const [url = ""] = await server.printed(/http:\/\/127\S+?:\d+/);
  const ask = () => fetch(`${url}/api/v1/agents?page=1&limit=1`, { headers });
  const answer = await ask();
  expect(answer.status).toBe(200);
  await hand.pool.query("alter table agents rename to agents_gone");
  expect((await ask()).status).toBe(500);
  server.process.kill();
  return { answer, ...(await server.exit) };
}

describe("creditgate serve", () => {
  it("says with --log-format json what it does, what it has answered, and which request has failed", async () => {
    const { answer, stdout, stderr } = await run("--log-format", "json", "--access-log");
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const request = { method: "GET", path: "/api/v1/agents", address: "127.0.0.1", requestId: "the-one" };
    const lines = linesOf(stdout);
    expect(lines).toContainEqual({
      time,
      level: "info",
      message: expect.stringMatching(/^listening on http/),
    });
    for (const status of [200, 500]) {
      const message = expect.stringMatching(`^GET /api/v1/agents ${status} \\d+ ms .request the-one.$`);
      const ms = expect.any(Number);
      expect(lines).toContainEqual({ time, level: "info", message, ...request, status, ms });
    }
    const message = expect.stringContaining('relation "agents" does not exist');
    expect(linesOf(stderr)).toEqual([{ time, level: "error", message, requestId: "the-one" }]);
    expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
  });

  it("writes text else, no line for each request, and names the request that has failed", async () => {
    const { stdout, stderr } = await run();
    expect(stdout).toMatch(/^creditgate listening on http/m);
    expect(stdout).not.toContain("/api/v1/agents");
    expect(stderr).toMatch(/^creditgate: .*relation "agents" does not exist/);
    expect(stderr).toMatch(/\(request the-one\)\n$/);
  });
});
