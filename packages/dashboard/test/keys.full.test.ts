import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import { accessibilityFindings, hostile, openScene, overflow, type Scene, type Visit } from "./scene.ts";

describe.skipIf(browserMissing)("the keys", () => {
  let scene: Scene;
  let owner: Visit;
  let reader: Visit;

  beforeAll(async () => {
    scene = await openScene();
    owner = await scene.visit("olga@harbour.ai", "/customers", "owner");
    reader = await scene.visit("rosa@harbour.ai", "/customers", "read");
  });
  afterAll(() => scene?.close());
  beforeEach(() => showCustomers(owner));

  async function showCustomers({ page }: Visit): Promise<void> {
    await page.goto(pathOf("/customers"));
    await page.getByRole("row", { name: /Kestrel/ }).waitFor();
  }
  const pathOf = (path: string) =>
    `${scene.baseUrl}/dashboard/organizations/${scene.admin.organizationId}${path}`;
  const palette = ({ page }: Visit) => page.getByRole("dialog", { name: "Search or jump to" });
  const focused = ({ page }: Visit) => page.evaluate(() => document.activeElement?.textContent ?? "");

  it("jump to a page by a few letters, and back to what had the focus", async () => {
    const { page } = owner;
    await page.getByRole("link", { name: "Kestrel Media" }).focus();
    await page.keyboard.press("Control+k");
    await palette(owner).waitFor();
    await page.keyboard.type("pri");
    await page.getByRole("option", { name: /Agents and prices/, selected: true }).waitFor();
    await page.keyboard.press("Escape");
    await palette(owner).waitFor({ state: "detached" });
    await page.locator("a:focus", { hasText: "Kestrel Media" }).waitFor();
    await page.keyboard.press("Control+k");
    await palette(owner).waitFor();
    await page.keyboard.type("pri");
    await page.getByRole("option", { name: /Agents and prices/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Agents and prices" }).waitFor();
    await palette(owner).waitFor({ state: "detached" });
  });

  it("jump to a customer, whose name is what it is", async () => {
    const { page } = owner;
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "A page or a customer" }).fill("hosti");
    await page.getByRole("option", { name: hostile }).waitFor();
    await picture(page, "palette");
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press("Control+a");
    await page.keyboard.type("dove");
    await page.getByRole("option", { name: /Dovetail/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Dovetail Studio" }).waitFor();
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
  });

  it("never go to one who is not looked for, however late the answer is", async () => {
    const { page } = owner;
    const search = /\/customers\?.*search=kest/;
    // It never comes; the list of the page is in the memory of the window, also behind an answer for other letters.
    await page.route(search, () => undefined);
    await page.keyboard.press("Control+k");
    await palette(owner).waitFor();
    await page.keyboard.type("hosti");
    await page.locator("[role=listbox][aria-busy=false]").getByRole("option", { name: hostile }).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("kest");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Kestrel Media", level: 1 }).waitFor();
    await page.unroute(search);
  });

  it("steer through what is found, and say when there is nothing", async () => {
    const { page } = owner;
    await page.getByRole("button", { name: "Search or jump to" }).click();
    await page.getByRole("option", { name: /Overview/, selected: true }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.getByRole("option", { name: /Your account/, selected: true }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { name: /Customers/, selected: true }).waitFor();
    await page.keyboard.type("zzzz");
    await page.getByText("No results.").waitFor();
    await page.keyboard.press("Enter");
    await palette(owner).waitFor();
  });

  it("go to the page of a letter, in the time that one takes for two", async () => {
    const { page } = owner;
    await page.keyboard.press("g");
    await page.keyboard.press("o");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByRole("heading", { name: "Orders and invoices" }).waitFor();
  });

  it("search in the page, walk through its rows, open one, and begin a new one", async () => {
    const { page } = owner;
    await page.keyboard.press("j");
    const first = await focused(owner);
    await page.keyboard.press("j");
    const second = await focused(owner);
    expect(second).not.toBe(first);
    await page.keyboard.press("k");
    expect(await focused(owner)).toBe(first);
    await page.keyboard.press("/");
    await page.locator("input[type=search]:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Kestrel Media" }).focus();
    await page.keyboard.press("n");
    await page.getByRole("dialog", { name: "New customer" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Kestrel Media" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Kestrel Media" }).waitFor();
  });

  it("are letters in fields, and nothing while a dialog is open", async () => {
    const { page } = owner;
    await page.keyboard.press("/");
    await page.keyboard.type("go?n/jk");
    expect(await page.getByRole("searchbox").inputValue()).toBe("go?n/jk");
    await page.getByRole("searchbox").fill("");
    await page.getByRole("row", { name: /Kestrel/ }).waitFor();
    expect(page.url()).toContain("/customers");
    await page.getByRole("button", { name: "New customer" }).focus();
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "New customer" });
    await dialog.getByRole("button", { name: "Cancel" }).focus();
    for (const key of ["g", "o", "?", "n", "Control+k"]) await page.keyboard.press(key);
    expect(await page.getByRole("dialog").count()).toBe(1);
    expect(page.url()).toContain("/customers");
  });

  it("are listed, and can be switched off", async () => {
    const { page } = owner;
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.getByText("API keys").waitFor();
    await picture(page, "keys");
    expect(await accessibilityFindings(page)).toEqual([]);
    await list.getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    for (const key of ["n", "?", "g", "o"]) await page.keyboard.press(key);
    // It comes after the others: had they done something, it would not come.
    await page.keyboard.press("Control+k");
    await palette(owner).waitFor();
    expect(page.url()).toContain("/customers");
    await page.keyboard.press("Escape");
    await page.evaluate(() => localStorage.clear());
  });

  it.each([
    ["light", 1440],
    ["dark", 1440],
    ["light", 320],
    ["dark", 320],
  ] as const)(
    "are found and listed in the %s theme, and in %i px, with no serious finding",
    async (colorScheme, width) => {
      const { page } = owner;
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 800 });
      const floats = async (name: string) => {
        expect(await accessibilityFindings(page)).toEqual([]);
        expect(await overflow(page)).toBe(0);
        const box = await page.getByRole("dialog", { name }).boundingBox();
        expect((box?.x ?? -1) >= 0 && (box?.y ?? -1) >= 0 && (box?.width ?? width + 1) <= width).toBe(true);
        await picture(page, `${name === "Keyboard shortcuts" ? "keys" : "palette"}-${width}-${colorScheme}`);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      };
      await page.keyboard.press("Control+k");
      await palette(owner).waitFor();
      await page.keyboard.type("co");
      await page.getByRole("option", { name: /Cobalt Freight/ }).waitFor();
      await floats("Search or jump to");
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("API keys").waitFor();
      await floats("Keyboard shortcuts");
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await page.setViewportSize({ width: 1440, height: 900 });
    },
  );

  it("do for a reader nothing that a reader may not", async () => {
    const { page } = reader;
    await showCustomers(reader);
    for (const key of ["n", "p", "g", "p"]) await page.keyboard.press(key);
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.getByText("API keys").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(1);
    expect(await list.getByText("Users and roles").count()).toBe(0);
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await palette(reader).waitFor();
    await page.keyboard.type("use");
    await page.getByText("No results.").waitFor();
    expect(page.url()).toContain("/customers");
  });

  it("have broken the policy nowhere, and met no error", () => {
    expect(owner.complaints).toEqual([]);
    expect(reader.complaints).toEqual([]);
  });
});
