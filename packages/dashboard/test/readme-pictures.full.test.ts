import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { formatCompact, formatCredits, formatGlance } from "../src/parts/amounts.ts";
import { openDemo } from "./demo.ts";
import { type Books, readBooks, sum } from "./demo-books.ts";

const folder = new URL("../docs/", import.meta.url);
const names = ["overview", "customers", "customer", "agents", "phone"];
const themes = ["light", "dark"] as const;

/** A page, and what is there when it can be taken. */
interface Shot {
  readonly name: string;
  readonly path: string;
  readonly ready: (page: Page) => Promise<unknown>;
  readonly isPhone?: true;
}

const shots: readonly Shot[] = [
  { name: "overview", path: "/overview", ready: (page) => page.locator(".chart svg").first().waitFor() },
  {
    name: "customers",
    path: "/customers",
    ready: (page) => page.getByRole("row", { name: /Kestrel/ }).waitFor(),
  },
  {
    name: "customer",
    path: "/customers/cobalt-freight",
    ready: (page) => page.getByText("Balanced").waitFor(),
  },
  {
    name: "agents",
    path: "/agents",
    async ready(page) {
      await page.getByLabel("Input tokens", { exact: true }).fill("12,400");
      await page.getByLabel("Output tokens", { exact: true }).fill("860");
      await page.getByText("8.49 ai_credits").waitFor();
      // The caret would blink.
      await page.evaluate(
        () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
      );
    },
  },
  {
    name: "phone",
    path: "/customers",
    ready: (page) => page.getByRole("row", { name: /Kestrel/ }).waitFor(),
    isPhone: true,
  },
];

/** Each figure of a picture against the usage, the statements and the balances, as the API returns them. */
const reconcile: Readonly<Record<string, (shown: string, books: Books) => void>> = {
  overview(shown, { total, agents, accounts }) {
    expect(shown).toContain(`Credits used\n${formatGlance(total.credits)}\n`);
    expect(figure(shown, /Usage reports\n([\d,]+)\n/)).toBe(total.reports);
    for (const { name, credits } of agents) expect(shown).toContain(`${name}\n${formatGlance(credits)}\n`);
    const most = accounts.toSorted((a, b) => b.used30 - a.used30).slice(0, 3);
    for (const { name, used30 } of most) expect(shown).toContain(`${name}\t${formatCredits(used30)}\t`);
  },
  customers: balances,
  phone: balances,
  customer(shown, { accounts }) {
    const cobalt = accounts.find(({ id }) => id === "cobalt-freight");
    expect(figure(shown, /Usage in \w+\n([\d,.]+) credits/)).toBe(cobalt?.usedThisMonth);
    const agents = Array.from(shown.matchAll(/^\w+ \w+\t[\d,]+\t([\d,.]+)$/gm), ([, credits]) =>
      numberOf(credits),
    );
    expect(sum(agents)).toBe(cobalt?.usedThisMonth);
    expect(figure(shown, /Current balance\t\+([\d,.]+)/)).toBe(cobalt?.balance);
    expect(figure(shown, /Available ([\d,.]+)/)).toBe(cobalt?.balance);
    const statement = shown.slice(
      shown.indexOf("Entries, the newest first"),
      shown.indexOf("Current balance"),
    );
    const changes = Array.from(
      statement.matchAll(/\t([+−]?[\d,.]+)\t[+−]?[\d,.]+\t[−\d,.]+$/gm),
      ([, change]) => numberOf(change),
    );
    expect(changes.length).toBeGreaterThan(4);
    expect(sum(changes)).toBe(cobalt?.balance);
  },
  agents(shown, { agents }) {
    const picker = shown.replaceAll("K credits", "k credits");
    for (const { name, credits } of agents)
      expect(picker).toContain(`${name}\n${formatCompact(credits)} credits`);
    const parts = Array.from(shown.matchAll(/^(?:Event|\w+ tokens)\t.*\t([\d.]+)$/gm), ([, credits]) =>
      numberOf(credits),
    );
    expect(sum(parts)).toBe(figure(shown, /Estimated cost\n([\d.]+)/));
  },
};

function balances(shown: string, { accounts }: Books): void {
  for (const { name, balance } of accounts) {
    const row = shown.slice(shown.indexOf(`${name}\n`));
    // A postpaid wallet shows what is used of it.
    expect(row.slice(0, row.indexOf("@"))).toContain(formatCredits(Math.abs(balance)));
  }
}

function figure(shown: string, where: RegExp): number {
  return numberOf(where.exec(shown)?.[1]);
}

function numberOf(text = ""): number {
  return Number(text.replaceAll(",", "").replace("−", "-"));
}

describe("the pictures of the README", () => {
  const isAsked = process.env.CREDITGATE_README_PICTURES === "1";
  it(`${isAsked ? "are" : "can be"} taken of a demo organisation`, { timeout: 600_000 }, async () => {
    const target = isAsked ? folder : pathToFileURL(`${await mkdtemp(join(tmpdir(), "creditgate-"))}/`);
    const { scene, owner } = await openDemo(isAsked ? 60 : 3);
    try {
      const books = await readBooks(scene);
      expect(books.accounts.filter(({ used, debited }) => used !== debited)).toEqual([]);
      expect(books.accounts.filter(({ entries, balance }) => entries !== balance)).toEqual([]);
      await mkdir(target, { recursive: true });
      const browser = owner.context.browser();
      if (browser === null) throw new Error("the window has no browser");
      const storageState = await owner.context.storageState();
      const window = (isPhone: boolean) =>
        browser.newContext({
          ...{ storageState, reducedMotion: "reduce", deviceScaleFactor: isPhone ? 2 : 1.25 },
          viewport: isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
        });
      const [desk, phone] = await Promise.all([window(false), window(true)]);
      for (const { name, path, ready, isPhone } of shots) {
        for (const colorScheme of themes) {
          const page = await (isPhone ? phone : desk).newPage();
          await page.emulateMedia({ colorScheme });
          await page.goto(`${scene.baseUrl}/dashboard/organizations/${scene.admin.organizationId}${path}`);
          await ready(page);
          await page.waitForFunction(
            () => document.querySelector("main .bone, main [aria-busy=true]") === null,
          );
          reconcile[name]?.(await page.locator("main").innerText(), books);
          const picture = await toWebp(page, await page.screenshot());
          await writeFile(new URL(fileOf(name, colorScheme), target), picture);
          await page.close();
        }
      }
      await Promise.all([desk.close(), phone.close()]);
      expect(await readdir(target)).toHaveLength(names.length * themes.length);
    } finally {
      await scene.close();
      if (target !== folder) await rm(target, { recursive: true });
    }
  });

  it("are all there, in both themes, and small", async () => {
    const files = (await readdir(folder)).sort();
    expect(files).toEqual(names.flatMap((name) => themes.map((theme) => fileOf(name, theme))).sort());
    const sizes = await Promise.all(files.map(async (file) => (await stat(new URL(file, folder))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
  });

  it("stand in it, each with what it shows in words", async () => {
    const readme = await readFile(new URL("../README.md", folder), "utf8");
    for (const name of names) {
      expect(readme).toContain(`srcset="docs/${fileOf(name, "dark")}"`);
      expect(readme).toMatch(new RegExp(`src="docs/${fileOf(name, "light")}"[^>]* alt="[^"]{20,}"`));
    }
    const first = await readFile(fileURLToPath(new URL("../../../README.md", folder)), "utf8");
    expect(first).toContain(`src="packages/dashboard/docs/${fileOf("overview", "light")}"`);
  });
});

function fileOf(name: string, theme: "light" | "dark"): string {
  return theme === "light" ? `${name}.webp` : `${name}-dark.webp`;
}

/** The browser has an encoder: a quarter of the PNG's bytes, and text stays sharp. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  // Its own page: the policy of ours refuses pictures out of data.
  const plain = await page.context().newPage();
  const address = await plain.evaluate(
    async (data) => {
      const blob = await fetch(data).then((response) => response.blob());
      const bitmap = await createImageBitmap(blob);
      const canvas = document.createElement("canvas");
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
      canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
      return canvas.toDataURL("image/webp", 0.82);
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
  await plain.close();
  return Buffer.from(address.slice(address.indexOf(",") + 1), "base64");
}
