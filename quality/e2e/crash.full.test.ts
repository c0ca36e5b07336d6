import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startApplication } from "./durability/application.ts";
import { audit, readBooks, richCustomers } from "./durability/books.ts";
import { startFaultProxy } from "./durability/fault-proxy.ts";

/** `npm run test:crash` asks for a hundred. */
const kills = Number(process.env.CREDITGATE_KILLS ?? 3);

let controlPlane: TestControlPlane;
let folder: string;
beforeEach(async () => {
  controlPlane = await startControlPlane({ fixture: richCustomers });
  folder = mkdtempSync(join(tmpdir(), "creditgate-crash-"));
}, 180_000);
afterEach(async () => {
  await controlPlane?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** The models of the parked reports, as an operator sees them. */
async function parkedModels(outbox: string): Promise<readonly string[]> {
  const command = join(import.meta.dirname, "../../packages/sqlite/bin/creditgate-outbox.js");
  const { stdout } = await promisify(execFile)(process.execPath, [
    command,
    "list",
    "--path",
    outbox,
    "--json",
  ]);
  const { items }: { items: { state: string; rawUsage: { model: string } }[] } = JSON.parse(stdout);
  return items.filter(({ state }) => state === "parked").map(({ rawUsage }) => rawUsage.model);
}

describe("a loaded application that is killed with kill -9", () => {
  it(`${kills} times, loses nothing that was settled and counts nothing twice`, async () => {
    const [outbox, journal] = [join(folder, "usage.db"), join(folder, "journal")];
    const { baseUrl, apiKey } = controlPlane;
    const start = (run: string, mode: "load" | "drain") =>
      startApplication({ baseUrl, apiKey, outbox, journal, run, mode });

    for (let kill = 0; kill < kills; kill++) {
      const application = start(`run-${kill}`, "load");
      // Another moment each time: at once, in the midst of a commit, of a delivery, of a backlog.
      await application.until(({ settled = 0 }) => settled >= 10 + ((kill * 37) % 200));
      await application.kill();
    }
    const { left, rss } = await start("drain", "drain").until((fact) => fact.left !== undefined);
    expect(left).toEqual({ queued: 0, parked: 0, dead: 0 });

    const settled = existsSync(journal) ? readFileSync(journal, "utf8").trim().split("\n") : [];
    const books = await readBooks(controlPlane);
    const { lost, twice } = audit(books, settled);
    console.log(
      `${kills} x kill -9: ${settled.length} reports whose settle() had resolved, ${books.total} counted by the control plane; ` +
        `lost ${lost.length}, counted twice ${twice.length}; the last process had ${rss} MiB`,
    );
    expect(settled.length).toBeGreaterThanOrEqual(10 * kills);
    expect({ lost, twice }).toEqual({ lost: [], twice: [] });
    expect(books.paid).toBe(books.total);
  }, 1_200_000);

  it("before a service that does not honour keys counts nothing twice either, and lists what may have arrived", async () => {
    const [outbox, journal] = [join(folder, "usage.db"), join(folder, "journal")];
    const proxy = await startFaultProxy(controlPlane.baseUrl);
    proxy.stripKeys = true;
    const start = (run: string, mode: "load" | "drain") =>
      startApplication({ baseUrl: proxy.baseUrl, apiKey: controlPlane.apiKey, outbox, journal, run, mode });
    try {
      for (let kill = 0; kill < kills; kill++) {
        const application = start(`run-${kill}`, "load");
        await application.until(({ settled = 0 }) => settled >= 10 + ((kill * 37) % 200));
        await application.kill();
      }
      const { left } = await start("drain", "drain").until((fact) => fact.left !== undefined);
      const settled = readFileSync(journal, "utf8").trim().split("\n");
      const parked = await parkedModels(outbox);
      const { lost, twice } = audit(await readBooks(controlPlane), settled);
      console.log(
        `${kills} x kill -9, keys not honoured: ${settled.length} reports settled; counted twice ${twice.length}, ` +
          `parked ${parked.length}; lost and not listed ${lost.filter((model) => !parked.includes(model)).length}`,
      );
      expect(twice).toEqual([]);
      expect(lost.filter((model) => !parked.includes(model))).toEqual([]);
      expect(left).toEqual({ queued: 0, parked: parked.length, dead: 0 });
    } finally {
      await proxy.close();
    }
  }, 1_200_000);
});
