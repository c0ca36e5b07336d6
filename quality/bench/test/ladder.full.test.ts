import { once } from "node:events";
import { createServer, get } from "node:http";
import express from "express";
import { expect, it } from "vitest";
import { listen } from "../src/contest/listen.ts";
import { startApplication } from "../src/ladder/application.ts";
import { type LeastCharge, LeastGate, type LeastReport } from "../src/ladder/least-gate.ts";
import { rungNames, rungs } from "../src/ladder/rungs.ts";
import { startService } from "../src/ladder/service.ts";
import { measureTurn } from "../src/ladder.ts";

const requests = 40;

it.each(rungNames)("%s serves all requests, and each is billed once if the rung bills", async (rung) => {
  const service = await startService();
  const application = await startApplication(rung, service.url);
  try {
    for (let turn = 0; turn < 2; turn++) {
      expect(await measureTurn(rung, application.url, service.url, requests)).toEqual({
        cpuUs: expect.any(Number),
        answered: requests,
        billed: rungs[rung].delivery === undefined ? 0 : requests,
      });
    }
  } finally {
    await application.stop();
    service.stop();
  }
});

it("the least gate holds credits, aborts disconnected work, and repeats a report until it is accepted", async () => {
  const attempts: (readonly LeastReport[])[] = [];
  const gate = new LeastGate({
    batchLimit: 500,
    customerOf: () => "ada",
    balance: async () => 2,
    async deliver(reports) {
      attempts.push(reports);
      if (attempts.length === 1) throw new Error("no connection");
    },
  });
  const charges: LeastCharge[] = [];
  const app = express();
  app.get(
    "/",
    gate.guard((_request, _response, charge) => charges.push(charge)),
  );
  const server = await listen(createServer(app));
  try {
    const clients = [get(server.url), get(server.url)];
    for (const client of clients) client.on("error", () => undefined);
    await expect.poll(() => charges.length).toBe(2);
    expect((await fetch(server.url)).status).toBe(402);
    const signals = charges.map(({ signal }) => signal);
    for (const charge of charges) charge.report({ outputTokens: 1 });
    const aborted = signals.map((signal) => once(signal, "abort"));
    for (const client of clients) client.destroy();
    await Promise.all(aborted);
    expect(gate.undelivered).toBe(2);
    expect((await fetch(server.url)).status).toBe(402);
    await expect.poll(() => gate.undelivered).toBe(0);
    const keys = attempts.map((reports) => reports.map(({ key }) => key));
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(new Set(keys[0]).size).toBe(2);
    expect((await fetch(server.url)).status).toBe(402);
  } finally {
    server.stop();
  }
});
