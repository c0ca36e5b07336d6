import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createAdminClient } from "@creditgate/admin";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../quality/free-port.ts";
import { browserMissing, sharedBrowser } from "./browser.ts";
import { accessibilityFindings, overflow, password } from "./scene.ts";

const pictures = process.env.CREDITGATE_SCREENSHOTS;
const run = promisify(execFile);
const adminToken = "admin-token-of-the-tests";
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** What a newcomer does with the page, counted: a click, a field that is filled. */
class Hands {
  actions = 0;
  async click(target: Locator): Promise<void> {
    this.actions += 1;
    await target.click();
  }
  async fill(target: Locator, text: string): Promise<void> {
    this.actions += 1;
    await target.fill(text);
  }
}

describe.skipIf(browserMissing)("the first run, in a browser", () => {
  let plane: TestControlPlane;
  let context: BrowserContext;
  let page: Page;
  let folder: string;
  const complaints: string[] = [];
  const hands = new Hands();

  async function picture(name: string): Promise<void> {
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  }

  /** Presses a button that copies, and takes what it has copied. */
  async function copied(label: string): Promise<string> {
    await hands.click(page.getByRole("button", { name: label, exact: true }));
    return page.evaluate(() => navigator.clipboard.readText());
  }

  async function write(name: string, text: string): Promise<string> {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  }

  beforeAll(async () => {
    let browser: Browser;
    [plane, browser, folder] = await Promise.all([
      startControlPlane({ fixture: { organization: { name: "Harbour AI" } }, adminToken, people: {} }),
      sharedBrowser(),
      mkdtemp(join(tmpdir(), "creditgate-first-run-")),
    ]);
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    context = await browser.newContext({
      reducedMotion: "reduce",
      viewport: { width: 1440, height: 900 },
    });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    context.setDefaultTimeout(20_000);
    page = await context.newPage();
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
        complaints.push(message.text());
      }
    });
  }, 120_000);
  afterAll(async () => {
    await context?.close();
    await plane?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it("leads from nothing to a gated request in under 20 actions, and sees it arrive", async () => {
    await page.goto(plane.firstOwnerLink ?? "");
    await hands.fill(page.getByLabel("Email"), "mira@harbour.ai");
    await hands.fill(page.getByLabel("Your name"), "Mira Okafor");
    await hands.fill(page.getByLabel("Password"), password);
    await hands.click(page.getByRole("button", { name: "Create account" }));

    await page.getByRole("heading", { name: "Set up your first gated request" }).waitFor();
    // Without what React Aria has said of the buttons before.
    await page.reload();
    await page.getByText("The wallet starts with 1,000.00 credits").waitFor();
    await picture("first-run-empty");
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByText("The wallet starts with 1,000.00 credits").waitFor();
    await hands.click(page.getByRole("button", { name: "Create customer" }));
    await page.getByRole("heading", { name: /A customer with a wallet ?, done/ }).waitFor();
    await hands.click(page.getByRole("button", { name: "Create agent" }));
    await page.getByRole("heading", { name: /An agent with a price ?, done/ }).waitFor();
    await page.getByText("1.00 per event, 0.50 per 1,000 input tokens").waitFor();
    await page.getByText("Waiting for the first request").waitFor();
    await hands.click(page.getByRole("button", { name: "Create another API key" }));
    await page.getByText("Your API key, shown only once").waitFor();
    await picture("first-run");
    const app = await copied("Copy app.mjs");
    // Its colours add nothing to it, and leave nothing out.
    expect(
      await page
        .locator("figure", { has: page.getByRole("button", { name: "Copy app.mjs" }) })
        .locator("pre")
        .textContent(),
    ).toBe(app);
    const terminal = await copied("Copy Terminal");
    expect(terminal).toMatch(/^npm install .*\nexport CREDITGATE_API_KEY='cgk_[0-9a-f]+'\n/);

    // The terminal's lines as they are pasted, all at once; on a port that is free, with the packages of this repository.
    await write("app.mjs", app);
    const port = String(await freePort());
    const lines = terminal.replace(/^npm install .*\n/, "").replace("3000", port);
    const shell = spawn("sh", ["-c", `${lines}wait`], {
      cwd: folder,
      detached: true,
      env: { ...process.env, PORT: port, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const [answer] = (await once(shell.stdout, "data")) as [Buffer];
      expect(JSON.parse(answer.toString())).toEqual({ text: "Hello" });
      await page.getByText("The first request has arrived.").waitFor();
      await page
        .getByText(/message of chat for first-customer: 1.066 ai_credits, debited from the wallet/)
        .waitFor();
    } finally {
      // The application, too, which the shell has put behind itself.
      if (shell.pid !== undefined) process.kill(-shell.pid);
    }
    await picture("first-run-done");
    expect(hands.actions).toBeLessThan(20);
  });

  it("copies code for Next.js, the edge and curl that works as it stands", async () => {
    await hands.click(page.getByRole("tab", { name: "Next.js" }));
    const environment = await copied("Copy .env.local");
    await write("route.mjs", await copied("Copy app/api/chat/route.ts"));
    await hands.click(page.getByRole("tab", { name: "Edge" }));
    await write("worker.mjs", await copied("Copy worker.js"));
    const apiKey = environment.trim().replace("CREDITGATE_API_KEY=", "");
    const program = await write("run.mjs", runsBoth);
    const { stdout } = await run(process.execPath, [program], {
      cwd: folder,
      env: { ...process.env, CREDITGATE_API_KEY: apiKey },
    });
    expect(JSON.parse(stdout)).toEqual([
      [200, { text: "Hello" }],
      [200, { text: "Hello" }],
    ]);
    await hands.click(page.getByRole("tab", { name: "curl" }));
    const curl = await run("sh", ["-c", await copied("Copy Terminal")]);
    expect(JSON.parse(curl.stdout)).toMatchObject({ status: "accepted", credits: 1.066 });
    const admin = await createAdminClient({ baseUrl: plane.baseUrl, adminToken }).organizationNamed(
      "Harbour AI",
    );
    await expect
      .poll(async () => (await admin.usage.list({ customerId: "first-customer" })).usage.length)
      .toBe(4);
  });

  it("is in the navigation until the first request has arrived, and leads nobody there afterwards", async () => {
    await page.reload();
    await page.getByText("The first request has arrived.").waitFor();
    expect(await page.getByRole("link", { name: "Get started" }).count()).toBe(0);
    // The key is gone from the page for good.
    expect(await page.content()).not.toMatch(/cgk_[0-9a-f]{32}/);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await overflow(page)).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      await picture(`first-run-phone-${colorScheme}`);
    }
    await page.goto(new URL("/dashboard", plane.baseUrl).href);
    await page.getByRole("link", { name: "Customers" }).first().waitFor();
    await page.waitForURL(/organizations\/\d+\/(?!start)/);
    expect(complaints).toEqual([]);
  });
});

/** Calls both handlers, as Next.js and a worker would. */
const runsBoth = `
import { register } from "node:module";
register("data:text/javascript," + encodeURIComponent(\`
  export async function resolve(name, context, next) {
    return name === "cloudflare:workers"
      ? { url: "data:text/javascript,export const env = process.env;", shortCircuit: true }
      : next(name, context);
  }
\`));
const { POST } = await import("./route.mjs");
const worker = (await import("./worker.mjs")).default;
const behind = [];
const request = () => new Request("http://localhost/chat", { method: "POST" });
const answers = [
  await POST(request(), { params: Promise.resolve({}) }),
  await worker.fetch(request(), process.env, { waitUntil: (work) => behind.push(work) }),
];
const told = [];
for (const answer of answers) told.push([answer.status, await answer.json()]);
await Promise.all(behind);
console.log(JSON.stringify(told));
`;
