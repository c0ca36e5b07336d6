import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openDemo } from "./demo.ts";

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
    ready: (page) => page.getByText("Adds up").waitFor(),
  },
  {
    name: "agents",
    path: "/agents",
    async ready(page) {
      await page.getByLabel("Input tokens").fill("12,400");
      await page.getByLabel("Output tokens").fill("860");
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

describe("the pictures of the README", () => {
  const isAsked = process.env.CREDITGATE_README_PICTURES === "1";
  it(`${isAsked ? "are" : "can be"} taken of a demo organisation`, async () => {
    const target = isAsked ? folder : pathToFileURL(`${await mkdtemp(join(tmpdir(), "creditgate-"))}/`);
    const { scene, owner } = await openDemo();
    try {
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
