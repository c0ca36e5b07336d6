import { readdir, rm } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import { startExample } from "./example.ts";

const patience = { timeout: 30_000, interval: 50 };

describe("the example, when it is stopped", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("leaves nothing behind after %s", async (signal) => {
    const { url, controlPlaneUrl, temporary, end } = await startExample();
    // An answer is on its way.
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: "Bearer demo-alice" },
      body: "why ".repeat(200),
    });
    expect(response.status).toBe(200);
    const cutOff = response.text().catch(() => {});
    expect(await readdir(temporary)).not.toEqual([]);

    await end(signal);

    await cutOff;
    await expect(fetch(url)).rejects.toThrow();
    await expect(fetch(controlPlaneUrl)).rejects.toThrow();
    // PostgreSQL's folder goes when PostgreSQL has.
    await vi.waitUntil(async () => (await readdir(temporary)).length === 0, patience);
    await rm(temporary, { recursive: true });
  });
});
