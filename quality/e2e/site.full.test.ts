import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, posix, resolve } from "node:path";
import { promisify } from "node:util";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAdminDocument } from "../../packages/control-plane/src/openapi/admin-document.ts";
import { createDocument } from "../../packages/control-plane/src/openapi/document.ts";
import { browserMissing, sharedBrowser } from "../../packages/dashboard/test/browser.ts";

const docs = resolve(import.meta.dirname, "../../docs");
const dist = join(docs, ".vitepress/dist");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
const server = createServer(async ({ url = "/" }, response) => {
  const path = decodeURIComponent(new URL(url, "http://site").pathname).replace(/\/$/, "/index.html");
  try {
    const file = await readFile(join(dist, posix.normalize(path)));
    response.setHeader("content-type", types[extname(path)] ?? "application/octet-stream").end(file);
  } catch {
    response.writeHead(404).end();
  }
});
let origin = "";

beforeAll(async () => {
  // Under "test", which the runner sets, Vue would be the one for development.
  const env = { ...process.env, NODE_ENV: "production" };
  await promisify(execFile)("npm", ["run", "build"], { cwd: docs, env });
  await once(server.listen(0, "127.0.0.1"), "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, 900_000);
afterAll(() => server.close());

const pages = () =>
  (readdirSync(dist, { recursive: true }) as string[]).filter(
    (file) => file.endsWith(".html") && file !== "404.html",
  );
const read = (file: string) => readFileSync(join(dist, file), "utf8");

describe("the documentation site", () => {
  it("has the pages and anchors that its links lead to, and loads nothing from elsewhere", () => {
    const ids = new Map(
      pages().map((file) => [
        file,
        new Set(Array.from(read(file).matchAll(/ id="([^"]+)"/g), ([, id]) => id)),
      ]),
    );
    expect(ids.size).toBeGreaterThan(250);
    const dead = pages().flatMap((file) =>
      Array.from(read(file).matchAll(/<a [^>]*href="([^"]+)"/g), ([, href = ""]) => href)
        .filter((href) => !/^[a-z]+:/.test(href))
        .filter((href) => {
          const { pathname, hash } = new URL(href, `http://site/${file}`);
          const path = decodeURIComponent(pathname)
            .slice(1)
            .replace(/(^|\/)$/, "$1index.html");
          if (!ids.has(path)) return !existsSync(join(dist, path)) && !existsSync(join(dist, `${path}.html`));
          return hash !== "" && !ids.get(path)?.has(decodeURIComponent(hash.slice(1)));
        })
        .map((href) => `${file}: ${href}`),
    );
    expect(dead).toEqual([]);
    const foreign = pages().filter((file) =>
      /<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//.test(read(file)),
    );
    expect(foreign).toEqual([]);
  });

  it("has each operation of both APIs, and each entry of the packages", () => {
    const operations = (folder: string) =>
      (readdirSync(join(dist, "reference", folder)) as string[])
        .filter((file) => file.endsWith(".md"))
        .flatMap((file) => read(`reference/${folder}/${file}`).match(/^`[A-Z]+ \/.*`$/gm) ?? []);
    const documents = [createDocument(""), createAdminDocument("")];
    const described = documents.map(({ paths }) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `\`${method.toUpperCase()} ${path}\``),
      ),
    );
    expect(["api", "admin-api"].map((folder) => operations(folder).sort())).toEqual(
      described.map((calls) => calls.sort()),
    );
    expect(read("reference/typescript/core.html")).toContain("createGate");
    expect(read("reference/typescript/ai/voice.html")).toContain("createVoiceCall");
  });

  it("is written as text for agents too, with their skill", () => {
    const list = Array.from(read("llms.txt").matchAll(/\]\(\/([^)]+\.md)\)/g), ([, page = ""]) => page);
    expect(list.length).toBe(pages().length);
    expect(list.filter((page) => !existsSync(join(dist, page)))).toEqual([]);
    expect(read("llms-full.txt")).toContain("# What is a hold?");
    const [skill] = JSON.parse(read(".well-known/agent-skills/index.json")).skills;
    const written = readFileSync(join(dist, skill.url));
    expect(skill).toMatchObject({ name: "creditgate", description: expect.stringContaining("credits") });
    expect(skill.digest).toBe(`sha256:${createHash("sha256").update(written).digest("hex")}`);
  });
});

async function open(path: string, { width = 1_440, dark = false } = {}): Promise<Page> {
  const colorScheme = dark ? "dark" : "light";
  const context = await (await sharedBrowser()).newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  await page.goto(`${origin}${path}`);
  // Before that, keys and clicks reach nobody.
  await page.waitForFunction(() => "__vue_app__" in (document.querySelector("#app") ?? {}));
  return page;
}

describe.skipIf(browserMissing)("the documentation site in a browser", () => {
  it.each([
    ["what is a hold", "/concepts/hold.html"],
    ["billing is down", "/concepts/outages.html"],
    ["8 processes", "/concepts/many-processes.html"],
    ["503 upstream_invalid", "/errors/upstream_invalid.html"],
    ["bill images", "/models/meter.html"],
  ])("finds %s within two results", async (question, expected) => {
    const page = await open("/");
    await page.keyboard.press("Control+k");
    await page.locator("#localsearch-input").fill(question);
    await page.locator("#localsearch-list a.result").first().waitFor();
    // The list follows the text after a moment: it has settled when it is about the words.
    await page.waitForFunction(() => document.querySelector("#localsearch-list mark") !== null);
    const links = await page
      .locator("#localsearch-list a.result")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    await page.context().close();
    expect(
      links.slice(0, 2).filter((link) => link?.startsWith(expected)),
      `${links.slice(0, 5)}`,
    ).not.toEqual([]);
  });

  const looked = [
    "/",
    "/concepts/hold.html",
    "/errors/insufficient_credits.html",
    "/playground.html",
    "/gate/options.html",
    "/start/express.html",
    "/reference/api/wallets.html",
  ];
  // Every other page wide and light, the others on a phone and dark.
  it.each(
    looked.map((path, at) => (at % 2 === 0 ? ([path, 1_440, false] as const) : ([path, 390, true] as const))),
  )("has nothing serious for axe: %s, %i px, dark %s", async (path, width, dark) => {
    const page = await open(path, { width, dark });
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(),
    );
    await page.context().close();
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(
      serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))}`),
    ).toEqual([]);
  });

  it.each([false, true])("overspends by hand and not with the gate; outage: %s", async (outage) => {
    const page = await open("/playground.html");
    if (outage) await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Send them" }).click();
    await page.locator("tr", { hasText: "Creditgate" }).waitFor();
    const cells = async (name: string) =>
      (await page.locator("tr", { hasText: name }).locator("td").allInnerTexts()).map(Number);
    expect(await cells("Check by hand")).toEqual(outage ? [200, 0, 0, 200] : [200, 0, 0, 150]);
    const [served, denied = 0, unavailable = 0, unpaid] = await cells("Creditgate");
    expect([served, denied + unavailable, unpaid]).toEqual([50, 150, 0]);
    await page.context().close();
  });
});
