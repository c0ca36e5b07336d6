import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page, type Response } from "playwright-core";

/** How long a page took, and how much of it moved by itself. */
export interface Opening {
  readonly ms: number;
  readonly shift: number;
}

const shell = "/usr/bin/chromium-headless-shell";
export const executablePath: string =
  process.env.CHROMIUM ?? [shell, "/usr/bin/chromium"].find(existsSync) ?? shell;

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      ...["--disable-background-networking", "--disable-component-update"],
    ],
  });
}

/** A window of an owner who has just joined the large organisation. */
export async function signIn(browser: Browser, baseUrl: string, adminToken: string): Promise<Page> {
  const response = await fetch(`${baseUrl}/admin/api/organizations/1/invitations`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify({ email: `${randomUUID()}@example.com`, roles: ["owner"] }),
  });
  const { link } = (await response.json()) as { readonly link: string };
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto(link);
  await page.getByLabel("Password").fill(randomUUID());
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
  return page;
}

/** From the beginning of the navigation to the frame in which the content is there and nothing waits any more. */
export async function open(page: Page, url: string, content: string): Promise<Opening> {
  await page.goto(url, { waitUntil: "commit" });
  const ms = await page.evaluate<number>(`shown(${JSON.stringify(content)})`);
  // What comes late may move something yet. A page that is live is never idle.
  await page.waitForTimeout(300);
  return { ms, shift: await page.evaluate<number>("window.shift") };
}

/** What the browser loads for the page where an organisation begins, by address; gzipped. */
export async function firstLoad(browser: Browser, page: Page, url: string): Promise<number> {
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const fresh = await context.newPage();
  const loaded: Response[] = [];
  fresh.on("response", (response) => {
    if (new URL(response.url()).pathname.startsWith("/dashboard")) loaded.push(response);
  });
  await fresh.goto(url, { waitUntil: "networkidle" });
  // What comes later is not of the first load, and has no body any more when the window is closed.
  const sizes = await Promise.all(loaded.map(async (response) => gzipSync(await response.body()).length));
  await context.close();
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Runs in the page before anything of it. */
const watch = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
  window.shown = (content) => new Promise((resolve, reject) => {
    const look = () => {
      if (performance.now() > 60_000) return reject(new Error(location.pathname + " shows no " + content));
      const waits = document.querySelector("main .bone, main [aria-busy=true]") !== null;
      if (document.querySelector(content) === null || waits) requestAnimationFrame(look);
      else requestAnimationFrame(() => resolve(performance.now()));
    };
    look();
  });`;
