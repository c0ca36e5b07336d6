import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBooks, richCustomers } from "./durability/books.ts";

let controlPlane: TestControlPlane;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "creditgate-shut-down-"));
  controlPlane = await startControlPlane({ fixture: richCustomers });
}, 180_000);
afterAll(async () => {
  await controlPlane?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** Resolves when no process listens at the port any more. */
async function refused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const taken = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (!taken) return;
  }
}

describe("an application that is sent SIGTERM", () => {
  it("takes no more connections, ends the answer under way, bills it, and exits with 0", async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "durability/serving-process.mjs")], {
      stdio: ["pipe", "pipe", "inherit"],
      env: {
        ...process.env,
        CREDITGATE_BASE_URL: controlPlane.baseUrl,
        CREDITGATE_API_KEY: controlPlane.apiKey,
        OUTBOX: join(folder, "usage.db"),
      },
    });
    const exited = once(child, "exit");
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const port = Number((await lines.next()).value);
    const response = await fetch(`http://127.0.0.1:${port}/`);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe("first,");

    child.kill("SIGTERM");
    await refused(port);
    child.stdin.write("go on\n");
    expect((await reader?.read())?.value).toBe("last");
    expect(JSON.parse((await lines.next()).value)).toEqual({
      queued: 0,
      parked: 0,
      dead: 0,
      open: 0,
      undelivered: [],
    });
    expect(await exited).toEqual([0, null]);
    expect((await readBooks(controlPlane)).counts).toEqual(new Map([["during the shutdown", 1]]));
  }, 180_000);
});
