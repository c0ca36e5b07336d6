import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const shell = "/usr/bin/chromium-headless-shell";
const executablePath = process.env.CHROMIUM ?? [shell, "/usr/bin/chromium"].find(existsSync) ?? shell;
const missing = !existsSync(executablePath);

/** npm brings no browser. CI has one and must use it; elsewhere its absence is said and no one is kept from the rest. */
export const browserMissing: boolean = missing && process.env.CI !== "true";
if (browserMissing)
  console.warn(`${executablePath} is missing, so the tests in a browser are left out; CHROMIUM may name one`);

export async function launchBrowser(): Promise<Browser> {
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
