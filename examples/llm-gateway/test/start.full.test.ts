import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createClient } from "@creditgate/client";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { buildPackages, startExample } from "../../started-example.ts";

const folder = resolve(import.meta.dirname, "..");
const patience = { timeout: 30_000, interval: 50 };

beforeAll(() => buildPackages("examples/llm-gateway", "packages/control-plane"));

describe.each([[], ["--workerd"]])("the example, started as its README says %s", (...args) => {
  it("serves the command that it prints, bills what was said, and leaves nothing behind", async () => {
    const { url, controlPlaneUrl, output, end } = await startExample(folder, /^ {2}-d/, ...args);
    onTestFinished(() => end("SIGTERM"));
    const readme = await readFile(resolve(folder, "README.md"), "utf8");
    const command = output.slice(output.indexOf("curl")).trim();
    expect(readme).toContain(command.replaceAll(url, "http://127.0.0.1:8790"));
    const [, authorization = "", body = ""] = /authorization: ([^']+)'[\s\S]*-d '(.+?)'/.exec(command) ?? [];
    const post = (token: string) =>
      fetch(`${url}/v1/chat/completions`, { method: "POST", headers: { authorization: token }, body });
    const answer = await (await post(authorization)).text();
    expect(answer).toContain('"content":"stand-in "');
    expect(answer).toContain("data: [DONE]");
    const { wallets } = createClient({ baseUrl: controlPlaneUrl, apiKey: "cg_test_local" });
    const left = async () => (await wallets.balance("alice")).balances.ai_credits?.available ?? 0;
    await vi.waitUntil(async () => (await left()) < 100, patience);
    expect(await left()).toBeGreaterThan(99.9);
    const denied = await post("Bearer demo-bob");
    expect(denied.status).toBe(402);
    expect(await denied.json()).toMatchObject({ error: { code: "insufficient_credits", available: 1 } });
    await end("SIGTERM");
    await expect(fetch(url)).rejects.toThrow();
    await expect(fetch(controlPlaneUrl)).rejects.toThrow();
  });
});
