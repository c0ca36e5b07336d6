/** A call from a test. */
export interface CalledMethod {
  readonly method: string;
  readonly values: readonly unknown[];
}

/** Does the call, and answers with what it returns, or with the message of what it throws. */
export async function callMethod(object: unknown, { method, values }: CalledMethod): Promise<Response> {
  try {
    const methods = object as Readonly<Record<string, (...values: readonly unknown[]) => unknown>>;
    const returned: unknown = await methods[method]?.(...values);
    return Response.json({ returned: returned ?? null });
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return Response.json({ message, stack }, { status: 500 });
  }
}
