// One command: a wallet in a table, and an application that spends it.
import { usePostgres } from "@creditgate/control-plane/testing";
import { shutDownOnSignal } from "@creditgate/core";
import pg from "pg";
import { createApp } from "./dist/app.js";
import { schema } from "./dist/table-service.js";

// Yours, or one that ends with this process.
const local = process.env.DATABASE_URL ? undefined : await usePostgres();
const connectionString = local?.databaseUrl ?? process.env.DATABASE_URL;
// A failover may leave connections silent: only a timeout of the driver, query_timeout, ends what waits on them.
const timeouts = { connectionTimeoutMillis: 1_000, statement_timeout: 5_000, query_timeout: 6_000 };
const pool = new pg.Pool({ connectionString, ...timeouts });
pool.on("error", (error) => console.error(error.message));
await pool.query(schema);
await pool.query("insert into wallets values ('alice', 2) on conflict do nothing");

const { app, gate } = createApp(pool);
const server = app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  console.log(`alice has credits for two messages:\n  curl -X POST -H "x-customer: alice" ${url}/chat`);
  console.log(
    `a top-up is an update of the table:\n  psql "${connectionString}" -c "update wallets set available = available + 5"`,
  );
});
shutDownOnSignal({ process, server, gate });
