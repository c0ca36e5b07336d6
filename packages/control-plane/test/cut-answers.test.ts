import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { Counter } from "prom-client";
import { expect, it, onTestFinished, vi } from "vitest";
import { createErrorAnswers, errorHandler } from "../src/endpoint/errors.ts";

/** What has failed after its answer had begun, as a file of which a part was sent. */
async function failHalfWay(
  error: Error,
): Promise<{ readonly told: readonly unknown[]; readonly counted: readonly unknown[] }> {
  const told: unknown[] = [];
  const refused = new Counter({
    name: "refused",
    help: "Refusals.",
    labelNames: ["code", "status"],
    registers: [],
  });
  const app = express();
  // In tests Express itself says nothing.
  app.set("env", "production");
  app.get("/", (_, response, next) => {
    response.write("the first part", () => next(error));
  });
  app.use(errorHandler(createErrorAnswers((failure) => told.push(failure), { refused })));
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await expect(fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())).rejects.toThrow();
  const counted = (await refused.get()).values.map(({ labels }) => labels);
  return { told, counted };
}

it("an answer that fails half way is cut off, and told of and counted like any other that fails", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  const outage = Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });
  const { told, counted } = await failHalfWay(outage);
  expect(told).toEqual([]);
  expect(counted).toEqual([{ code: "database_unavailable", status: "503" }]);
  const unforeseen = new Error("unforeseen");
  expect((await failHalfWay(unforeseen)).told).toEqual([unforeseen]);
  expect(printed).not.toHaveBeenCalled();
});
