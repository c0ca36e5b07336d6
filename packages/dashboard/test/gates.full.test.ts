import { randomUUID } from "node:crypto";
import type { HeartbeatRequest } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import { accessibilityFindings, hostile, openScene, overflow, type Scene, type Visit } from "./scene.ts";
import { spendWallet } from "./usage-scene.ts";

const started = new Date().toISOString();
const webEu: HeartbeatRequest = {
  ...{ gateId: randomUUID(), name: "web-eu", platform: "Next.js", version: "0.1.0", startedAt: started },
  ...{ everyMs: 3_600_000, allowed: 1_188 },
  // The last one is what every object of JavaScript has.
  denied: { insufficient_credits: 9, upstream_unavailable: 2, constructor: 1 },
  ...{ late: 0, open: 38, held: 373, queued: 16, parked: 1, dead: 1, retried: [] },
  waiting: [
    {
      ...{ id: "dead-1", state: "dead", customerId: "dovetail", agentId: "chat", indicator: "mesage" },
      ...{ credits: 84.1, reason: `404 indicator_unknown ${hostile}`, since: started },
    },
    {
      ...{ id: "parked-1", state: "parked", customerId: "kestrel", agentId: "chat", indicator: "message" },
      ...{ credits: 31.75, reason: "the connection was reset", since: started },
    },
  ],
};
const worker: HeartbeatRequest = {
  ...{ ...webEu, gateId: randomUUID(), name: "worker", platform: "Edge", parked: 0, dead: 0, waiting: [] },
  ...{ allowed: 12, denied: {}, open: 0, held: 0, queued: 0 },
};

describe.skipIf(browserMissing)("gates", () => {
  let scene: Scene;
  let money: Visit;
  let reader: Visit;

  async function says(heartbeat: HeartbeatRequest): Promise<unknown> {
    const response = await fetch(`${scene.baseUrl}/api/v2/gates/heartbeat`, {
      method: "POST",
      headers: { "service-api-key": scene.plane.apiKey, "content-type": "application/json" },
      body: JSON.stringify(heartbeat),
    });
    expect(response.status).toBe(200);
    return response.json();
  }

  beforeAll(async () => {
    scene = await openScene();
    money = await scene.visit("mira@harbour.ai", "/gates", "money");
  });
  afterAll(() => scene?.close());

  it("says what brings a gate, where none is there", async () => {
    await money.page.getByText("No heartbeats in the last hour").waitFor();
    await money.page.getByText("startHeartbeat(gate").waitFor();
  });

  it("shows each gate, its decisions, its denials by reason, and the reports that wait", async () => {
    await says(webEu);
    await says(worker);
    const { page } = money;
    await page.reload();
    await page.getByRole("row", { name: /web-eu Next.js, 1 instance.* 1.0 % 373.00 16 1 1/ }).waitFor();
    await page.getByRole("row", { name: /worker Edge, 1 instance.* 0.0 % 0.00 0 0 0/ }).waitFor();
    await page.getByText("12 in 1 h", { exact: true }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "Not enough credits" }).getByText("75.0 %").waitFor();
    await page.getByRole("listitem").filter({ hasText: "constructor" }).getByText("8.3 %").waitFor();
    await page.getByRole("row", { name: /Dead.*dovetail 84.10/ }).waitFor();
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
    await page.getByText("503, cannot decide").waitFor();
    await page.getByRole("button", { name: "24 h" }).click();
    await page.getByText("12 in 24 h", { exact: true }).waitFor();
  });

  it("says on the overview that a report is dead, and leads here", async () => {
    const { page } = money;
    await page.goto(page.url().replace("/gates", "/overview"));
    const attention = page.getByRole("region", { name: "Needs attention" });
    await attention.getByText("4", { exact: true }).waitFor();
    await attention.getByRole("heading", { name: "Urgent: 1 dead report at web-eu" }).waitFor();
    await attention.getByRole("link", { name: "Open: 1 dead report at web-eu" }).click();
    await page.getByRole("row", { name: /Dead.*dovetail 84.10/ }).waitFor();
  });

  it("asks the gate to send a report again, by keyboard", async () => {
    const { page } = money;
    await page.getByRole("button", { name: "Retry the report of dovetail" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /dovetail.*Retry requested/ }).waitFor();
    expect(await says(webEu)).toEqual({ retry: ["dead-1"] });
    expect(await says({ ...webEu, waiting: [], dead: 0, parked: 0, retried: ["dead-1"] })).toEqual({
      retry: [],
    });
    await page.reload();
    await page.getByText("No undelivered reports.").waitFor();
    await says(webEu);
  });

  it("shows processes that spend the same wallets by ledgers of their own, and isolates with a guard", async () => {
    const { page } = money;
    const separate = page.getByRole("alert").filter({ hasText: "without sharing state" });
    expect(await separate.count()).toBe(0);
    const processId = randomUUID();
    await spendWallet(scene, "dovetail", [processId, "shared", "guard"]);
    await page.reload();
    await separate.getByText("3 ledgers spend the same wallets").waitFor();
    await separate.getByText("in every process, on Redis, PostgreSQL or Durable Objects").waitFor();
    const ledgers = separate.getByRole("list", { name: "Separate ledgers" }).getByRole("listitem");
    expect(await ledgers.allTextContents()).toEqual([
      `In the memory of process ${processId}, last usage just now`,
      "A shared ledger, last usage just now",
      "Isolates with a guard, last usage just now",
    ]);
    await page.getByText("Isolates with a guard spend wallets").waitFor();
    expect(await separate.getByRole("link", { name: "dovetail" }).getAttribute("href")).toMatch(
      /customers\/dovetail$/,
    );
  });

  it("shows a reader no button that asks a gate for anything", async () => {
    reader = await scene.visit("rosa@harbour.ai", "/gates", "read");
    await reader.page.getByRole("row", { name: /dovetail/ }).waitFor();
    expect(await reader.page.getByRole("button", { name: /Retry/ }).count()).toBe(0);
  });

  it.each(["light", "dark"] as const)("is accessible in the %s theme, and fits 320 px", async (theme) => {
    const { page } = money;
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.reload();
    await page.getByRole("row", { name: /dovetail/ }).waitFor();
    await page.getByRole("alert").filter({ hasText: "without sharing state" }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, `gates-${theme}`);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await overflow(page)).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, `gates-phone-${theme}`);
  });

  it("has broken its policy nowhere, and met no error", () => {
    expect([...money.complaints, ...reader.complaints]).toEqual([]);
  });
});
