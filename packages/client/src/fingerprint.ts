/** The first 128 bits of SHA-256, in hex, over the address of a service and what is told apart there. */
export async function fingerprintOf(baseUrl: string, what: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${baseUrl}\n${what}`));
  const bytes = new Uint8Array(digest).subarray(0, 16);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
