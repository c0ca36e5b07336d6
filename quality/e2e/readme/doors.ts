// What the READMEs of the adapters leave to their reader.

/** An answer of 2 credits at the price of the tests. */
export async function model(
  question: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<{ text: string; usage: { input: number; output: number } }> {
  signal.throwIfAborted();
  return { text: `You asked: ${question}`, usage: { input: 30, output: 1000 } };
}

export function userOf(headers: { readonly [name: string]: unknown }): { readonly id: string } | undefined {
  const id = headers["x-user"];
  return typeof id === "string" ? { id } : undefined;
}
