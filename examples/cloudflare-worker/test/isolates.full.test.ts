import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@creditgate/client";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { buildPackages } from "../../started-example.ts";
import { deployedWorker } from "../../typed-worker.ts";
import { folder } from "./worker.ts";

/** `npm run test:isolates` has forty. */
const isolates = Number(process.env.CREDITGATE_ISOLATES ?? "10");
const name = (isolate: number): string => `chat-${isolate}`;

let plane: TestControlPlane;
let workerd: Miniflare;
beforeAll(async () => {
  await buildPackages("packages/edge", "packages/cloudflare", "packages/control-plane");
  plane = await startControlPlane({
    fixture: JSON.parse(await readFile(join(folder, "fixture.json"), "utf8")),
  });
  const deployed = await deployedWorker(folder, {
    CREDITGATE_BASE_URL: plane.baseUrl,
    CREDITGATE_API_KEY: plane.apiKey,
    SETTLEMENT_LAG_MS: "1000",
  });
  const { WALLETS } = deployed.durableObjects;
  workerd = new Miniflare({
    workers: Array.from({ length: isolates }, (_, isolate) => ({
      ...deployed,
      name: name(isolate),
      durableObjects: { WALLETS: isolate === 0 ? WALLETS : { ...WALLETS, scriptName: name(0) } },
    })),
  });
  await workerd.ready;
});
afterAll(async () => {
  await workerd?.dispose();
  await plane?.stop();
});

/** Asks until the wallet is said to be empty: how many words were said. */
async function askOn(isolate: number): Promise<number> {
  // Its types are those of a package that we do without.
  const worker = (await workerd.getWorker(name(isolate))) as unknown as { fetch: typeof fetch };
  let words = 0;
  for (;;) {
    const response = await worker.fetch("http://chat.example", {
      method: "POST",
      headers: { authorization: "Bearer demo-team" },
      body: "Why?",
    });
    const text = await response.text();
    if (response.status === 200) words += text.trim().split(" ").length;
    // On a busy machine a balance may take longer than the gate waits for it: "cannot tell", so again.
    else if (response.status !== 503) {
      expect(response.status).toBe(402);
      // Others are being answered: what they do not use is free again.
      if (JSON.parse(text).retryable !== true) return words;
    }
  }
}

it(`spends a wallet exactly from ${isolates} isolates that share it in a Durable Object`, async () => {
  const client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
  const cents = async () => {
    const { available = 0, overage_used = 0 } =
      (await client.wallets.balance("team")).balances.ai_credits ?? {};
    return Math.round(100 * (available - overage_used));
  };
  const said = await Promise.all(Array.from({ length: isolates }, (_, isolate) => askOn(isolate)));
  const words = said.reduce((sum, one) => sum + one, 0);
  // A word costs a cent, and an answer is only begun where a hundred are left.
  await vi.waitUntil(async () => (await cents()) === 600 - words, { timeout: 30_000, interval: 50 });
  expect(await cents()).toBeGreaterThanOrEqual(0);
  expect(await cents()).toBeLessThan(200);
});
