import pg from "pg";
import { describe, it } from "vitest";
import { leak, leakNames } from "../../examples/leak.ts";
import { createTestDatabase } from "../../packages/control-plane/src/testing/index.ts";

// How many work in a burst depends on how long a loaded machine takes to read the balance; none may work unpaid.
describe("creditgate leak", { timeout: 600_000 }, () => {
  it.concurrent("finds no leak in express-chat", async ({ expect }) => {
    const start =
      'OUTBOX_FILE="$FOLDER/$LEAK_STATE.db" DURABLE_HOLDS=1 exec node examples/express-chat/dist/main.js';
    const { code, output } = await leak("/chat", start, [
      ...["--billing", "creditgate", "--price", "outputTokens=0.01", "--wallet", "10", ...leakNames],
      ...["--header", "authorization: Bearer demo-alice"],
    ]);
    expect(output).toContain("\nnothing leaked\n");
    expect(output).toMatch(/^wallet of 10 credits, 40 requests at once +\d+ worked +0 not paid$/m);
    expect(code).toBe(0);
  });

  it.concurrent("finds no leak in llm-gateway, but work that a kill cuts off", async ({ expect }) => {
    const tokens = `CUSTOMER_TOKENS='{"demo-alice":"alice"}'`;
    const start = `OUTBOX_FILE="$FOLDER/$LEAK_STATE.db" ${tokens} exec node examples/llm-gateway/dist/node.js`;
    const message =
      '{"model":"gpt-5","max_tokens":100,"stream":true,"messages":[{"role":"user","content":"{id}"}]}';
    const { code, output } = await leak("/v1/chat/completions", start, [
      ...[
        "--billing",
        "quality/e2e/leak/gateway-billing.json",
        "--price",
        "outputTokens=0.001",
        "--wallet",
        "1",
        ...leakNames,
      ],
      ...["--header", "authorization: Bearer demo-alice", "--body", message, "--skip", "killed"],
    ]);
    expect(output).toContain("\nnothing leaked\n");
    expect(output).toMatch(/^wallet of 1 credits, 40 requests at once +\d+ worked +0 not paid$/m);
    expect(code).toBe(0);
  });

  it.concurrent("finds no leak in cloudflare-worker, but what ends with Miniflare's storage", async ({
    expect,
  }) => {
    // Miniflare keeps Durable Objects in memory: they end with it. Headers leave before the first word is made.
    const { code, output } = await leak("/", "exec node examples/cloudflare-worker/start.mjs", [
      ...["--billing", "creditgate", "--price", "outputTokens=0.01", "--wallet", "10"],
      ...[
        "--header",
        "authorization: Bearer demo-alice",
        "--skip",
        "killed,killed-waiting,stopped,leave-headers",
        ...leakNames,
      ],
    ]);
    expect(output).toContain("\nnothing leaked\n");
    expect(output).toMatch(/^wallet of 10 credits, 40 requests at once +\d+ worked +0 not paid$/m);
    expect(code).toBe(0);
  });

  it.concurrent("finds no work beyond the wallet in own-table, and prints what it cannot see without a billing service", async ({
    expect,
    onTestFinished,
  }) => {
    const { databaseUrl, drop } = await createTestDatabase();
    const pool = new pg.Pool({ connectionString: databaseUrl });
    onTestFinished(async () => {
      await pool.end();
      await drop();
    });
    const { schema } = await import("../../examples/own-table/src/table-service.ts");
    await pool.query(schema);
    await pool.query("insert into wallets values ('leak', 10)");
    const start = `DATABASE_URL='${databaseUrl}' exec node examples/own-table/start.mjs`;
    const args = ["--header", "x-customer: leak", "--wallet", "10", "--only", "parallel"];
    const { code, output } = await leak("/chat", start, args);
    expect(output).toContain("not seen: what is paid, and what happens while billing fails: no --billing");
    expect(output).toMatch(/^wallet of 10 credits, 40 requests at once +9 worked +0 not paid$/m);
    expect(code).toBe(0);
    const { rows } = await pool.query(
      "select count(*)::int as billed, (select available::int from wallets where customer_id = 'leak') from billed_usage where customer_id = 'leak'",
    );
    expect(rows).toEqual([{ billed: 10, available: 0 }]);
  });
});
