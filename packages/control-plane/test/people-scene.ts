import {
  startControlPlane,
  type TestControlPlane,
  type TestControlPlaneOptions,
} from "../src/testing/index.ts";
import { adminToken } from "./admin-scene.ts";
import { type Admin, administrator } from "./administrator.ts";
import type { Received } from "./caller.ts";
import { acme } from "./fixture.ts";

export const password = "a long sentence of mine";

/** What a browser does at the admin API: it keeps cookies, and says where its requests come from. */
export interface Browser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Received>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Received>;
  /** Goes where it is sent, without following further. */
  visit(url: string): Promise<Response>;
}

/** A control plane with people, and Acme in it. */
export interface PeopleScene {
  readonly plane: TestControlPlane;
  readonly admin: Admin;
  readonly clock: { time: number; now(): number };
  /** The path of Acme below `/admin/api`. */
  readonly path: string;
  browser(): Browser;
  /** One who has been invited to Acme, and has signed in. */
  member(email: string, ...roles: string[]): Promise<Browser>;
  /** The records of the audit log, the newest first. */
  audit(limit?: number): Promise<readonly Record<string, unknown>[]>;
}

export async function openPeopleScene(options: Partial<TestControlPlaneOptions> = {}): Promise<PeopleScene> {
  const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };
  const plane = await startControlPlane({ fixture: acme, adminToken, clock, people: {}, ...options });
  const admin = administrator(plane.baseUrl, adminToken);
  const path = `/organizations/${await admin.organizationId("Acme")}`;
  const browser = () => createBrowser(plane.baseUrl, options.people?.publicUrl);
  return {
    plane,
    admin,
    clock,
    path,
    browser,
    async member(email, ...roles) {
      // Attempts of one address are limited.
      clock.time += 10_000;
      const invited = await admin.post(`${path}/invitations`, { email, roles });
      const one = browser();
      const used = await one.post("/links/use", { token: tokenOf(invited.json.link), password });
      if (used.status !== 201) throw new Error(`${email}: ${used.text}`);
      return one;
    },
    async audit(limit = 20) {
      return (await admin.get(`/audit?limit=${limit}`)).json.records as Record<string, unknown>[];
    },
  };
}

/** The token of a one-time link. */
export function tokenOf(link: unknown): string {
  return new URL(String(link)).hash.replace("#token=", "");
}

export function createBrowser(baseUrl: string, origin: string = baseUrl): Browser {
  const cookies = new Map<string, string>();
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...(cookie === "" ? {} : { cookie }), ...init.headers };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const receive = async (path: string, init: RequestInit): Promise<Received> => {
    const response = await send(`${baseUrl}/admin/api${path}`, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text.startsWith("{") ? JSON.parse(text) : {},
    };
  };
  return {
    cookies,
    visit: (url) => send(url, {}),
    get: (path, headers = {}) => receive(path, { headers: { "sec-fetch-site": "same-origin", ...headers } }),
    post: (path, body, headers = {}) =>
      receive(path, {
        method: "POST",
        headers: {
          origin: new URL(origin).origin,
          "sec-fetch-site": "same-origin",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
  };
}
