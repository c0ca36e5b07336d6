import { existsSync, readFileSync } from "node:fs";
import process from "node:process";

/** How to reach the service. */
export interface Access {
  readonly baseUrl: string | undefined;
  readonly adminToken: string | undefined;
}

const tokenFile = ".creditgate/admin-token";

/** On a laptop the token of `creditgate serve` is in a file beside it. */
export function readAccess(baseUrl: string | undefined): Access {
  const address = baseUrl ?? process.env.CREDITGATE_BASE_URL;
  const adminToken = process.env.CREDITGATE_ADMIN_TOKEN;
  if (adminToken !== undefined || !existsSync(tokenFile)) return { baseUrl: address, adminToken };
  return { baseUrl: address ?? "http://127.0.0.1:4000", adminToken: readFileSync(tokenFile, "utf8").trim() };
}
