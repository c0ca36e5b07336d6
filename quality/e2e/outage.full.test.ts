import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@creditgate/client";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { createGate, createRegistry, type Gate } from "@creditgate/core";
import { createSqliteOutbox, type SqliteOutbox } from "@creditgate/sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApplication } from "./durability/application.ts";
import { audit, readBooks, richCustomers } from "./durability/books.ts";
import { startFaultProxy } from "./durability/fault-proxy.ts";

/** `npm run test:crash` asks for 100,000 and 10,000. */
const missed = Number(process.env.CREDITGATE_MISSED_REPORTS ?? 2_000);
const closing = Number(process.env.CREDITGATE_CLOSING_REPORTS ?? 500);
const mostMegabytes = 512;
const half = 30 * 60_000;

let controlPlane: TestControlPlane;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "creditgate-outage-"));
  controlPlane = await startControlPlane({ fixture: richCustomers });
}, 180_000);
afterAll(async () => {
  await controlPlane?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

describe("a control plane that is down", () => {
  it(
    `for ${missed} reports gets all of them once it is back, from bounded memory`,
    async () => {
      const proxy = await startFaultProxy(controlPlane.baseUrl);
      const [outbox, journal] = [join(folder, "missed.db"), join(folder, "missed")];
      const { apiKey } = controlPlane;
      const application = startApplication({
        baseUrl: proxy.baseUrl,
        apiKey,
        outbox,
        journal,
        run: "missed",
        mode: "load",
        reports: missed,
        workers: 64,
      });
      const before = await application.until(({ settled = 0 }) => settled > 0);
      await proxy.goDown();
      const down = await application.until(({ done = false }) => done);
      await proxy.comeUp();
      const most = { rss: down.rss };
      const over = application.until((fact) => {
        most.rss = Math.max(most.rss, fact.rss);
        return fact.left !== undefined;
      });
      application.goOn();
      const { left } = await over;
      await proxy.close();
      const books = await readBooks(controlPlane);
      const { lost, twice } = audit(books, readFileSync(journal, "utf8").trim().split("\n"));
      console.log(
        `${missed} reports while the control plane was down: lost ${lost.length}, counted twice ${twice.length}; ` +
          `RSS ${before.rss} MiB at first, ${down.rss} MiB when all were waiting, at most ${most.rss} MiB`,
      );
      expect(left).toEqual({ queued: 0, parked: 0, dead: 0 });
      expect({ lost, twice }).toEqual({ lost: [], twice: [] });
      expect(most.rss).toBeLessThan(mostMegabytes);
    },
    half,
  );
});

describe("close() in the midst of a flush", () => {
  function open(): { readonly gate: Gate; readonly outbox: SqliteOutbox } {
    const outbox = createSqliteOutbox({ path: join(folder, "closing.db") });
    const { baseUrl, apiKey } = controlPlane;
    const client = createClient({ baseUrl, apiKey });
    const gate = createGate({
      client,
      currency: "ai_credits",
      wallet: "prepaid",
      outbox,
      registry: createRegistry(),
      checkTimeoutMs: 30_000,
      lagWatch: false,
    });
    return { gate, outbox };
  }

  it(
    `of ${closing} reports delivers or keeps every one`,
    async () => {
      const first = open();
      const models = Array.from({ length: closing }, (_, at) => `closing-${at}`);
      let delivered = 0;
      const underway = new Promise<void>((resolve) => {
        first.gate.on("delivered", () => {
          delivered++;
          if (delivered === 100) resolve();
        });
      });
      await Promise.all(
        models.map(async (model, at) => {
          const customerId = `customer-${at % 10}`;
          const decision = await first.gate.authorize({
            customerId,
            agentId: "chat",
            indicator: "message",
            hold: 1,
          });
          if (!decision.allowed) throw new Error(decision.denial.code);
          decision.charge.report({ model }, { credits: 1 });
          await decision.charge.settle();
        }),
      );
      const flushed = first.gate.flush();
      await underway;
      const left = await first.gate.close({ graceMs: 50 });
      await flushed;
      await first.outbox.close();

      const second = open();
      const kept = await second.outbox.status();
      expect(await second.gate.flush({ timeoutMs: half })).toEqual({ queued: 0, parked: 0, dead: 0 });
      await second.gate.close();
      await second.outbox.close();
      const { lost, twice } = audit(await readBooks(controlPlane), models);
      console.log(
        `${closing} reports, closed in the midst of a flush: ${left.queued} undelivered by then, ${kept.queued} kept; ` +
          `lost ${lost.length}, counted twice ${twice.length}`,
      );
      expect({ lost, twice }).toEqual({ lost: [], twice: [] });
      expect(left.parked + left.dead + kept.parked + kept.dead).toBe(0);
    },
    half,
  );
});
