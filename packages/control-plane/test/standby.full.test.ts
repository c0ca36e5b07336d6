import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { startEmbeddedPostgres, startServer } from "../src/index.ts";
import { caller } from "./caller.ts";
import { acme } from "./fixture.ts";

describe("a control plane on a standby", { timeout: 120_000 }, () => {
  it("answers 503 to balances, of unknown customers too: what it has is old", async () => {
    const data = await mkdtemp(path.join(tmpdir(), "creditgate-standby-"));
    await chmod(data, 0o755);
    const primary = await startEmbeddedPostgres({ data });
    await (await startServer({ databaseUrl: primary.databaseUrl, port: 0, fixture: acme })).stop(0);
    await primary.stop();
    await writeFile(path.join(data, "postgres", "standby.signal"), "");
    const standby = await startEmbeddedPostgres({ data });
    const server = await startServer({ databaseUrl: standby.databaseUrl, port: 0, settlement: false });
    try {
      const call = caller({ baseUrl: server.url, apiKey: "cg_test_local" });
      for (const customer of ["alice", "nobody"]) {
        const { status, headers, json } = await call("GET", `/api/v1/wallet/balance?customer_id=${customer}`);
        expect([status, json.code]).toEqual([503, "database_unavailable"]);
        expect(headers.get("retry-after")).toBe("1");
      }
    } finally {
      await server.stop(0);
      await standby.stop();
      await rm(data, { recursive: true });
    }
  });
});
