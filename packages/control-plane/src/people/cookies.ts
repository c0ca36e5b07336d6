/** The values that a cookie has come with: a second one was put there by another site below the same domain. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

export interface CookieTerms {
  readonly name: string;
  readonly value: string;
  /** 0 removes it. */
  readonly maxAgeSeconds: number;
  /** `Lax` comes with a link from another site, too. */
  readonly sameSite: "Strict" | "Lax";
  readonly isSecure: boolean;
}

/** The value of a `Set-Cookie`. No script reads it, and without a `Domain` no other host gets it. */
export function setCookie({ name, value, maxAgeSeconds, sameSite, isSecure }: CookieTerms): string {
  const attributes = ["Path=/", `Max-Age=${maxAgeSeconds}`, "HttpOnly", `SameSite=${sameSite}`];
  return [`${name}=${value}`, ...attributes, ...(isSecure ? ["Secure"] : [])].join("; ");
}
