/** The first 128 bits of SHA-256, in hex. */
export async function fingerprintOf(baseUrl: string, apiKey: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${baseUrl}\n${apiKey}`));
  const bytes = new Uint8Array(digest).subarray(0, 16);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
