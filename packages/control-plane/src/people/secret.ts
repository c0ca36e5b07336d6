import { hash, randomBytes } from "node:crypto";

/** What a secret opens is told by how it begins: so do scanners of secrets find it. */
export type SecretPrefix = "cgs_" | "cgu_" | "cgl_" | "cgf_";

/** Of a session, a token of a user, a one-time link, a sign-in under way: 256 random bits. */
export function generateSecret(prefix: SecretPrefix): string {
  return `${prefix}${randomBytes(32).toString("base64url")}`;
}

/** What is stored of a secret. It needs no salt and no effort: 256 bits are not guessed. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret);
}

/** Whether it can be a secret of ours; what cannot is not looked for. */
export function isSecret(text: string | undefined, prefix: SecretPrefix): text is string {
  return text?.length === prefix.length + 43 && text.startsWith(prefix);
}
