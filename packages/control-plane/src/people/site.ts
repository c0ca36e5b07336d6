import type { IncomingMessage } from "node:http";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import type { CookieKind } from "./person.ts";

/** Checks where browsers find the control plane. Throws a `ControlPlaneError`. */
export function parsePublicUrl(text: string, option = "publicUrl"): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (
    url !== undefined &&
    isSafe &&
    url.pathname === "/" &&
    `${url.search}${url.hash}${url.username}` === ""
  ) {
    return url;
  }
  throw new ControlPlaneError(
    "config_invalid",
    `${option}: expected https and a host, or http on this machine, as https://billing.example.com, received ${text}`,
  );
}

/** Where browsers find the control plane: what they may send from there, and what they keep. */
export interface Site {
  /** Why a request that a browser sends with its cookies is not from a page of ours; `undefined` if it is. */
  foreignness(request: IncomingMessage): string | undefined;
  cookie(kind: CookieKind, request: IncomingMessage): string | undefined;
  /** The `Set-Cookie` that keeps a value for so long; 0 seconds remove it. */
  keep(kind: CookieKind, value: string, maxAgeSeconds: number): string;
  /** The address of a path. It is never made of what a request says. */
  address(path: string): string;
}

interface SiteOptions {
  /** What browsers show in their address bar; without it only those of this machine get in. */
  readonly publicUrl: URL | undefined;
  /** Where the server listens. */
  readonly listening: () => string;
}

const names = {
  secure: {
    session: "__Host-creditgate-session",
    oidc: "__Host-creditgate-oidc",
    device: "__Host-creditgate-device",
  },
  // A browser keeps no __Host- cookie without Secure, and Safari none with Secure from http.
  plain: { session: "creditgate-session", oidc: "creditgate-oidc", device: "creditgate-device" },
} as const;

export function createSite({ publicUrl, listening }: SiteOptions): Site {
  const isSecure = publicUrl?.protocol === "https:";
  const cookieNames = names[isSecure ? "secure" : "plain"];
  return {
    foreignness(request) {
      const { origin, "sec-fetch-site": relation } = request.headers;
      if (relation !== undefined && relation !== "same-origin") {
        return `expected the header Sec-Fetch-Site to say same-origin, received ${JSON.stringify(relation)}`;
      }
      const received = origin === undefined ? "none" : JSON.stringify(origin);
      if (publicUrl !== undefined) {
        return origin === publicUrl.origin
          ? undefined
          : `expected the header Origin to be ${publicUrl.origin}, the --public-url, received ${received}`;
      }
      return isOwnLoopback(origin, request.headers.host)
        ? undefined
        : `expected the header Origin to be where this machine is asked by itself, as http://127.0.0.1:4000, received ${received}. For any other address start with --public-url`;
    },
    cookie: (kind, { headers }) => cookieValue(headers.cookie, cookieNames[kind]),
    keep: (kind, value, maxAgeSeconds) =>
      setCookie({
        name: cookieNames[kind],
        value,
        maxAgeSeconds,
        // The identity provider sends the browser back here by a link.
        sameSite: kind === "oidc" ? "Lax" : "Strict",
        isSecure,
      }),
    address: (path) => new URL(path, publicUrl ?? listening()).href,
  };
}

/** A name that an attacker has pointed to this machine is not one of its own. */
function isOwnLoopback(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.origin === origin && url.protocol === "http:" && isLoopback(url.hostname) && url.host === host;
}

/** Whether only this machine can be meant. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|::1|\[::1\])$/.test(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** The values that a cookie has come with: a second one was put there by another site below the same domain. */
function cookieValue(header: string | undefined, name: string): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

interface CookieTerms {
  readonly name: string;
  readonly value: string;
  /** 0 removes it. */
  readonly maxAgeSeconds: number;
  /** `Lax` comes with a link from another site, too. */
  readonly sameSite: "Strict" | "Lax";
  readonly isSecure: boolean;
}

/** The value of a `Set-Cookie`. No script reads it, and without a `Domain` no other host gets it. */
function setCookie({ name, value, maxAgeSeconds, sameSite, isSecure }: CookieTerms): string {
  const attributes = ["Path=/", `Max-Age=${maxAgeSeconds}`, "HttpOnly", `SameSite=${sameSite}`];
  return [`${name}=${value}`, ...attributes, ...(isSecure ? ["Secure"] : [])].join("; ");
}
