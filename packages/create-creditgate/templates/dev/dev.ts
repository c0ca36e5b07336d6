// npm run dev: a control plane on a PostgreSQL of its own, then the application, whose command package.json has. //? embedded
// npm run dev: a PostgreSQL, unless DATABASE_URL names one, then the application, whose command package.json has. //? table
import { spawn } from "node:child_process"; //? !shared
import { execFileSync, spawn } from "node:child_process"; //? postgres-ledger
import { spawn, spawnSync } from "node:child_process"; //? redis-ledger
import { readFile } from "node:fs/promises"; //? table
import { parseFixture, startEmbeddedPostgres, startServer } from "@creditgate/control-plane"; //? embedded
import { startEmbeddedPostgres } from "@creditgate/control-plane"; //? table
import pg from "pg"; //? table
import fixture from "./creditgate.json" with { type: "json" }; //? embedded

process.env.REDIS_URL ??= "redis://127.0.0.1:6379"; //? redis
// A new ledger then grants at once. In production it is run once, before the first process. //? redis-ledger
const { status } = spawnSync("creditgate-redis", ["init"], { stdio: "inherit" }); //? redis-ledger
if (status !== 0) process.exit(1); //? redis-ledger
//? redis
const postgres = await startEmbeddedPostgres({ data: ".creditgate" }); // delete the folder to begin anew //? embedded
const { databaseUrl } = postgres; //? embedded
const port = Number(process.env.CONTROL_PLANE_PORT ?? 4000); // a fixed one: usage that is stored names its service //? embedded
const controlPlane = await startServer({ databaseUrl, port, fixture: parseFixture(fixture) }).catch(failed); //? embedded
console.log(`control plane on ${controlPlane.url}`); //? embedded
const env = { //? embedded
  ...process.env, //? embedded
  CREDITGATE_BASE_URL: controlPlane.url, //? embedded
  CREDITGATE_API_KEY: fixture.organization.apiKey, //? embedded
  DATABASE_URL: databaseUrl, //? embedded sql
}; //? embedded
const { DATABASE_URL } = process.env; //? table
const postgres = DATABASE_URL ? undefined : await startEmbeddedPostgres({ data: ".creditgate" }); //? table
const env = { ...process.env, DATABASE_URL: postgres?.databaseUrl ?? DATABASE_URL }; //? table
const sql = new pg.Client({ connectionString: env.DATABASE_URL }); //? table
await sql.connect().catch(failed); //? table
await sql.query(await readFile("schema.sql", "utf8")); //? table
await sql.end(); //? table
// A new ledger then grants at once. In production it is run once, before the first process. //? postgres-ledger
execFileSync("creditgate-postgres", ["init"], { env }); //? postgres-ledger

const route = `http://127.0.0.1:${process.env.PORT || 3000}%route%`;
console.log(`When it listens, ask as alice, who has 100 credits, and then as bob, who has none:
  curl -N ${route} -H "x-customer: alice" -H "content-type: application/json" -d '{"question":"Hi"}'
  curl -N ${route} -H "x-customer: bob" -H "content-type: application/json" -d '{"question":"Hi"}'
`);

const [command = "", ...args] = process.argv.slice(2);
const app = spawn(command, args, { env, stdio: "inherit" });
// The application ends first: it delivers its last usage.
process.on("SIGINT", () => {}); // Ctrl-C reaches the application by itself
process.on("SIGTERM", () => app.kill());
app.once("exit", async (code) => {
  await controlPlane.stop(); //? embedded
  await postgres.stop(); //? embedded
  await postgres?.stop(); //? table
  process.exit(code ?? 0);
});

async function failed(error: Error): Promise<never> {
  console.error(error.message);
  console.error("Set CONTROL_PLANE_PORT if another program has the port."); //? embedded
  await postgres.stop(); //? embedded
  await postgres?.stop(); //? table
  process.exit(1);
}
