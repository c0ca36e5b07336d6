import { ControlPlaneError } from "../errors/control-plane-error.ts";
import type { OidcOptions } from "./open-id-connect.ts";
import { isLoopback } from "./site.ts";

/** How people sign in. */
export interface PeopleOptions {
  /**
   * Where browsers find the control plane: https, or http on this machine. Cookies, links and the check of origins go by it,
   * and never by what a request says. @default the address of this machine that is listened on
   */
  readonly publicUrl?: string | undefined;
  /** An identity provider beside passwords; takes a `publicUrl`. @default none */
  readonly oidc?: OidcOptions | undefined;
}

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
