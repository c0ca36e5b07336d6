import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createTestDatabase } from "@creditgate/control-plane/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { startStuckProxy } from "../../../packages/control-plane/test/stuck-proxy.ts";

it("the application serves again soon after a failover that leaves its connections open and silent", async () => {
  const database = await createTestDatabase();
  const proxy = await startStuckProxy(database.databaseUrl);
  const child = spawn(process.execPath, [join(import.meta.dirname, "../start.mjs")], {
    env: { ...process.env, DATABASE_URL: proxy.databaseUrl, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await proxy.close();
    await database.drop();
  });
  let url = "";
  child.stdout.on("data", (text) => {
    url ||= /http:\S+\/chat/.exec(`${text}`)?.[0] ?? "";
  });
  await vi.waitUntil(() => url !== "", 30_000);
  // Nobody has a wallet: each request reads the table, so that many use all connections of the pool.
  const post = async () => {
    const headers = { "x-customer": randomUUID() };
    return fetch(url, { method: "POST", headers }).then(({ status }) => status);
  };
  const all = () => Promise.all(Array.from({ length: 40 }, post)).then((statuses) => new Set(statuses));
  expect(await all()).toEqual(new Set([402]));
  proxy.failOver();
  // Those that find a silent connection; others may come after it was given up.
  expect(await all()).toContain(503);
  await expect.poll(all, { timeout: 20_000 }).toEqual(new Set([402]));
}, 60_000);
