/** A response that streams values, a line of JSON each, until the work has ended; it breaks off if the work fails. */
export function jsonLines(work: (send: (value: unknown) => void) => Promise<void>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    async start(controller) {
      await work((value) => controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`)));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
}
