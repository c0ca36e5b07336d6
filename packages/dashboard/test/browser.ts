import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

// The headless shell renders as Chromium does, for a third less of the processor: nothing draws a window around the page.
const shell = "/usr/bin/chromium-headless-shell";
const executablePath = process.env.CHROMIUM ?? [shell, "/usr/bin/chromium"].find(existsSync) ?? shell;
const missing = !existsSync(executablePath);

/** npm brings no browser. CI has one and must use it; elsewhere its absence is said, and the rest of the tests runs. */
export const browserMissing: boolean = missing && process.env.CI !== "true";
if (browserMissing) {
  console.warn(`${executablePath} is missing, so the tests in a browser are left out; CHROMIUM may name one`);
}

let shared: Promise<Browser> | undefined;

/**
 * The browser of this worker: its files share it, each with windows of its own, which it closes. Playwright ends it with the
 * process.
 */
export function sharedBrowser(): Promise<Browser> {
  shared = (shared ?? launch()).then((browser) => (browser.isConnected() ? browser : launch()));
  return shared;
}

/** The pages of all windows that are open. */
export async function pagesShown(): Promise<readonly Page[]> {
  return (await shared)?.contexts().flatMap((context) => context.pages()) ?? [];
}

async function launch(): Promise<Browser> {
  if (missing) {
    throw new Error(
      `${executablePath} is missing: apt-get install -y chromium-headless-shell, or set CHROMIUM to its path`,
    );
  }
  return chromium.launch({
    executablePath,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      ...["--disable-background-networking", "--disable-component-update"],
    ],
  });
}
