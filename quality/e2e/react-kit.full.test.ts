import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { RunningServer } from "@creditgate/conformance";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing, sharedBrowser } from "../../packages/dashboard/test/browser.ts";
import { removeApps, startNextApp, startViteApp } from "./react-kit-apps.ts";

const sheet = await readFile(resolve(import.meta.dirname, "../../packages/react/style.css"), "utf8");

/** What the sheet sets. */
const properties = [
  ...[
    "color",
    "background-color",
    "border-top-color",
    "border-top-style",
    "border-top-width",
    "border-radius",
  ],
  ...["padding-top", "padding-left", "margin-top", "margin-bottom", "font-size", "font-variant-numeric"],
  ...["display", "row-gap", "column-gap", "text-decoration-line", "cursor", "white-space", "opacity"],
];

interface Look {
  readonly html: string;
  readonly styles: Readonly<Record<string, string>>;
}

/** The kit's elements in a page, and the style that the browser computes for each. */
function lookOf(page: Page): Promise<Look> {
  return page.evaluate((names) => {
    const kit = [...document.querySelectorAll(".creditgate-balance, .creditgate-paywall")];
    const styles = kit
      .flatMap((element) => [element, ...element.querySelectorAll("*")])
      .flatMap((element, index) => {
        const computed = getComputedStyle(element);
        return names.map((name) => [`${index} ${element.tagName} ${name}`, computed.getPropertyValue(name)]);
      });
    return { html: kit.map((element) => element.outerHTML).join(""), styles: Object.fromEntries(styles) };
  }, properties);
}

describe.skipIf(browserMissing).each([
  ["a fresh Vite app", startViteApp],
  ["a fresh Next.js app with Cache Components, by the README", startNextApp],
])("the React kit in %s", (_, start) => {
  let app: RunningServer;
  beforeAll(async () => {
    app = await start();
  }, 300_000);
  afterAll(async () => {
    await app?.close();
    await removeApps();
  });

  /** The page with a paywall, as it is built and as the sheet says. */
  async function looks(colorScheme: "light" | "dark"): Promise<{ built: Look; source: Look }> {
    const context = await (await sharedBrowser()).newContext({ colorScheme });
    try {
      await context.addCookies([{ name: "user", value: "alice", url: app.url }]);
      const page = await context.newPage();
      await page.goto(app.url);
      await page.getByText("3.00 credits").waitFor();
      await page.getByRole("button", { name: "Ask" }).click();
      await page.getByRole("link", { name: "Upgrade to Pro" }).waitFor();
      await page.mouse.move(0, 0);
      const built = await lookOf(page);
      await page.setContent(`<!doctype html><html lang="en"><head>
        <meta name="color-scheme" content="light dark"><style>${sheet}</style></head><body>${built.html}</body></html>`);
      return { built, source: await lookOf(page) };
    } finally {
      await context.close();
    }
  }

  it("looks as its style sheet says, in light and in dark, which differ", async () => {
    const [light, dark] = [await looks("light"), await looks("dark")];
    expect(light.built.styles).toEqual(light.source.styles);
    expect(dark.built.styles).toEqual(dark.source.styles);
    const border = (look: Look) =>
      Object.entries(look.styles).filter(([name]) =>
        /^\d+ (SECTION|A|BUTTON) border-top-(style|width)/.test(name),
      );
    expect(new Set(border(light.built).map(([, value]) => value))).toEqual(new Set(["solid", "1px"]));
    const accent = (look: Look) =>
      Object.entries(look.styles).find(([name]) => name.endsWith(" A background-color"))?.[1];
    expect(accent(light.built)).not.toBe("rgba(0, 0, 0, 0)");
    expect(accent(light.built)).not.toBe(accent(dark.built));
  });
});
