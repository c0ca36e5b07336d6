import { describe, expect, it, vi } from "vitest";
import { launchExample } from "../../started-example.ts";
import { folder, startWorker } from "./worker.ts";

describe("the example, when it is stopped", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("leaves nothing behind after %s", async (signal) => {
    const { url, controlPlaneUrl, files, end } = await startWorker();
    // An answer is on its way.
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: "Bearer demo-alice" },
      body: "why ".repeat(200),
    });
    expect(response.status).toBe(200);
    const cutOff = response.text().catch(() => {});
    expect(await files()).not.toEqual([]);

    await end(signal);

    await cutOff;
    await expect(fetch(url)).rejects.toThrow();
    await expect(fetch(controlPlaneUrl)).rejects.toThrow();
  });

  it("leaves nothing behind when it is stopped before it is ready", async () => {
    const { files, end } = await launchExample(folder);
    // PostgreSQL is being set up.
    await vi.waitUntil(async () => (await files()).length > 1, { timeout: 30_000, interval: 10 });
    await end("SIGINT");
  });
});
