import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AdminClient, createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import type { Fixture } from "@creditgate/control-plane";
import {
  startControlPlane,
  type TestControlPlane,
  type TestControlPlaneOptions,
} from "@creditgate/control-plane/testing";
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { expect } from "vitest";
import { sharedBrowser } from "./browser.ts";
import { picture } from "./picture.ts";

export const password = "a long sentence of mine";
export const hostile = '<img src=x onerror="window.broken = true">';

const adminToken = "admin-token-of-the-tests";

export const harbour: Fixture = {
  organization: { name: "Harbour AI" },
  agents: [
    {
      agentId: "chat",
      agent_external_id: "chat-1",
      agent_name: "Support chat",
      indicators: [
        {
          name: "message",
          billing: "CREDITS",
          currency: "ai_credits",
          price: { perEvent: 1, perThousandInputTokens: 0.5, perThousandOutputTokens: 1.5 },
        },
      ],
    },
  ],
  customers: [
    prepaid("cobalt-freight", "Cobalt Freight", { available: 318_425, overageLimit: 50_000 }),
    {
      externalId: "dovetail",
      name: "Dovetail Studio",
      email: "billing@dovetail.studio",
      wallets: [
        { currency: "ai_credits", kind: "prepaid", overageLimit: 500, overageUsed: 120, pending: 2_000 },
        { currency: "voice_minutes", kind: "postpaid", limit: 1_000, used: 312.75 },
      ],
    },
    prepaid("kestrel", "Kestrel Media", { overageLimit: 5_000, overageUsed: 5_000 }),
    {
      externalId: "eastgate",
      name: "Eastgate Insurance",
      wallets: [{ currency: "ai_credits", kind: "postpaid", limit: 2_500_000, used: 1_482_104 }],
    },
    {
      externalId: "brightwater",
      name: "Brightwater Clinics",
      wallets: [{ currency: "ai_credits", kind: "postpaid", limit: 500_000, used: 460_102.5 }],
    },
    {
      externalId: "fjord-robotics",
      name: "Fjord Robotics",
      wallets: [{ currency: "ai_credits", kind: "postpaid", limit: 0, used: 226_408 }],
    },
    prepaid("greenline", "Greenline Energy", { available: 182_047.5, pending: 100_000 }),
    prepaid("hostile", hostile, { available: 5 }),
  ],
};

function prepaid(
  externalId: string,
  name: string,
  wallet: { available?: number; pending?: number; overageLimit?: number; overageUsed?: number },
): NonNullable<Fixture["customers"]>[number] {
  return { externalId, name, wallets: [{ currency: "ai_credits", kind: "prepaid", ...wallet }] };
}

/** `npm run test:pages` plays each tour on all pages, and by keyboard what is done in dialogs of a kind that others are tried of. */
export const isAll: boolean = process.env.CREDITGATE_PAGES === "all";

/** A third of the pages, another one for each tour: what a tour finds is seldom of one page alone. */
export function toured<Page>(tour: "keyboard" | "layout" | "names", pages: readonly Page[]): readonly Page[] {
  const first = ["keyboard", "layout", "names"].indexOf(tour);
  return pages.filter((_, at) => isAll || at % 3 === first);
}

/** A page, and what the browser said of it that must not be. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
}

export interface Scene {
  readonly plane: TestControlPlane;
  readonly admin: OrganizationAdmin;
  readonly operator: AdminClient;
  readonly baseUrl: string;
  /** Opens a window with cookies of its own. */
  open(
    path: string,
    options?: { readonly width?: number; readonly theme?: "light" | "dark" },
  ): Promise<Visit>;
  signIn(visit: Visit, email: string): Promise<void>;
  /** Makes the first account, which is an operator's, and opens its first page. */
  openAsOperator(email: string): Promise<Visit>;
  invite(email: string, ...roles: string[]): Promise<string>;
  /** Opens a page of the organisation for one who has just joined it with these roles; the path as `/orders`. */
  visit(email: string, path: string, ...roles: string[]): Promise<Visit>;
  close(): Promise<void>;
}

export async function openScene(
  fixture: Fixture = harbour,
  clock?: TestControlPlaneOptions["clock"],
): Promise<Scene> {
  const [plane, browser] = await Promise.all([
    startControlPlane({ fixture, adminToken, people: {}, ...(clock && { clock }) }),
    sharedBrowser(),
  ]);
  const { baseUrl } = plane;
  const windows: BrowserContext[] = [];
  const operator = createAdminClient({ baseUrl, adminToken });
  const admin = await operator.organizationNamed("Harbour AI");
  const invite = async (email: string, ...roles: string[]): Promise<string> => {
    const response = await fetch(`${baseUrl}/admin/api/organizations/${admin.organizationId}/invitations`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      body: JSON.stringify({ email, roles }),
    });
    const { link } = (await response.json()) as { link: string };
    return link;
  };
  /** One who has joined by a link, as the page behind it does it: the cookies of the session. */
  const join = async (link: string): Promise<Cookies> => {
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get("token");
    const response = await fetch(`${baseUrl}/admin/api/links/use`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: baseUrl },
      body: JSON.stringify({ token, password }),
    });
    if (!response.ok) throw new Error(`the link: ${response.status} ${await response.text()}`);
    return response.headers.getSetCookie().map((cookie) => {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      return { name, value, url: baseUrl, httpOnly: true, sameSite: "Strict" };
    });
  };
  const open = async (path: string, options: WindowOptions = {}): Promise<Visit> => {
    const visit = await openWindow(browser, options);
    windows.push(visit.context);
    await visit.page.goto(new URL(path, baseUrl).href);
    return visit;
  };
  return {
    plane,
    admin,
    operator,
    baseUrl,
    open,
    async signIn({ page }, email) {
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
    },
    async openAsOperator(email) {
      // The link of the first owner works as long as there is no account.
      const visit = await open(plane.firstOwnerLink ?? "");
      const { page } = visit;
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
      return visit;
    },
    invite,
    async visit(email, path, ...roles) {
      const cookies = await join(await invite(email, ...roles));
      return open(`/dashboard/organizations/${admin.organizationId}${path}`, { cookies });
    },
    async close() {
      await Promise.all(windows.map((window) => window.close()));
      await plane.stop();
    },
  };
}

type Cookies = Parameters<BrowserContext["addCookies"]>[0];

interface WindowOptions {
  readonly width?: number;
  readonly theme?: "light" | "dark";
  readonly cookies?: Cookies;
}

async function openWindow(
  browser: Browser,
  { width = 1440, theme = "light", cookies = [] }: WindowOptions,
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 844 : 900 },
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  // Within the time of a test: what does not come is named by its own message.
  context.setDefaultTimeout(50_000);
  const page = await context.newPage();
  const requests = new Set<Request>();
  unanswered.set(page, requests);
  page.on("request", (request) => requests.add(request));
  page.on("requestfinished", (request) => requests.delete(request));
  page.on("requestfailed", (request) => requests.delete(request));
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // An answer of 401 or 404 is one too; what it means is tested by what the page shows.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      complaints.push(message.text());
    }
  });
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  await context.addCookies(cookies);
  return { page, context, complaints };
}

const unanswered = new WeakMap<Page, ReadonlySet<Request>>();

/** Resolves once the page waits for no answer, and what they have brought is drawn and asks for nothing more. */
export async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector("main .bone, main [aria-busy=true]") === null);
  for (let quiet = 0; quiet < 2; ) {
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    quiet = unanswered.get(page)?.size === 0 ? quiet + 1 : 0;
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * What axe finds that is serious. The debugger runs it: the page's own policy would refuse it as a script. It stays in the page
 * for the next time, and works out no more of what it finds to be right than that it is.
 */
export async function accessibilityFindings(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate<readonly string[]>(findings);
}

// What was announced of a button, by its id, stays there for some seconds after the button has gone with its dialog.
const findings = `
  axe.run({ exclude: [["[data-live-announcer]"]] }, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => id + ": " + target.join(" ") + ": " + failureSummary)))`;

/** How much wider the page is than its window. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The customers, one of them, the menu of small windows and the sign-in have no finding in this theme, and fit 320 px. */
export async function expectAccessible(scene: Scene, visit: Visit, theme: "light" | "dark"): Promise<void> {
  const { page } = visit;
  const customers = `/dashboard/organizations/${scene.admin.organizationId}/customers`;
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  for (const path of ["", "/dovetail"]) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(new URL(`${customers}${path}`, scene.baseUrl).href);
    const row = page.getByRole("row", { name: path === "" ? /Kestrel/ : /Top-up|Usage/ });
    await row.first().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, `customer${path === "" ? "s" : ""}-${theme}`);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await overflow(page)).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, `customer${path === "" ? "s" : ""}-phone-${theme}`);
  }
  await page.getByRole("button", { name: "Menu" }).click();
  await page
    .getByRole("navigation", { name: "Main, small screen" })
    .getByRole("link", { name: "Customers" })
    .click();
  await page.getByRole("row", { name: /Kestrel/ }).waitFor();
  const signIn = await scene.open("/dashboard/sign-in", { theme });
  await signIn.page.getByLabel("Email").waitFor();
  expect(await accessibilityFindings(signIn.page)).toEqual([]);
  expect(signIn.complaints).toEqual([]);
  await signIn.context.close();
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** How much of the page has moved by itself since it was opened, as the browser counts it. */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(() => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "layout-shift", buffered: true });
    // What is buffered is there at once; the observer would be called later, and not at all where nothing has moved.
    const moved = observer.takeRecords() as unknown as {
      readonly value: number;
      readonly hadRecentInput: boolean;
    }[];
    observer.disconnect();
    return moved.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0);
  });
}
