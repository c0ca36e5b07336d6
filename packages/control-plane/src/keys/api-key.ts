import { hash as hashOf, randomBytes } from "node:crypto";

/** How generated keys begin; a key of one's own choice may not. */
export const generatedPrefix = "cgk_";

const shape = /^cgk_([0-9a-f]{32})([0-9a-f]{8})$/;

/** Prefix, 128 random bits, checksum. */
export function generateApiKey(): string {
  const secret = randomBytes(16).toString("hex");
  return `${generatedPrefix}${secret}${checksum(secret)}`;
}

/** Tells a mistyped key from one worth looking up; keys of one's own choice carry no checksum. */
export function isPlausible(apiKey: string): boolean {
  if (!apiKey.startsWith(generatedPrefix)) return apiKey.length >= 8 && apiKey.length <= 256;
  const [, secret = "", sum] = shape.exec(apiKey) ?? [];
  return sum !== undefined && sum === checksum(secret);
}

/** What is stored of a key: its hash, and the start of the hash to find it by. */
export function digest(apiKey: string): { readonly hash: string; readonly lookup: string } {
  const hash = hashOf("sha256", apiKey);
  return { hash, lookup: lookupOf(hash) };
}

export const digestBytes = 64;

export function lookupOf(hash: string): string {
  return hash.slice(0, 8);
}

function checksum(secret: string): string {
  return hashOf("sha256", `${generatedPrefix}${secret}`).slice(0, 8);
}
