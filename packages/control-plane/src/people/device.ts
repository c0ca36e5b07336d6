import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** How long a browser is known after it has signed in. */
export const deviceSeconds: number = 365 * 24 * 60 * 60;

const shape = /^(cgd_[\w-]{22})\.([\w-]{43})$/;

/**
 * The value of a cookie by which a browser that knew the password is known later: guesses of others do not keep it out. It
 * opens nothing. The stored password is its key, so that it needs no table, and ends with the password.
 */
export function newDevice(storedPassword: string): string {
  const device = `cgd_${randomBytes(16).toString("base64url")}`;
  return `${device}.${signature(device, storedPassword)}`;
}

/** The device of a cookie, if a browser got it for this password. */
export function knownDevice(
  cookie: string | undefined,
  storedPassword: string | null | undefined,
): string | undefined {
  const [, device, signed] = shape.exec(cookie ?? "") ?? [];
  if (device === undefined || signed === undefined || !storedPassword) return undefined;
  const expected = signature(device, storedPassword);
  return timingSafeEqual(bytes.encode(expected), bytes.encode(signed)) ? device : undefined;
}

const bytes = new TextEncoder();

function signature(device: string, storedPassword: string): string {
  return createHmac("sha256", storedPassword).update(device).digest("base64url");
}
