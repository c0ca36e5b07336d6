/** The same response; `over` is called once, when its body has been read to its end, has failed or is cancelled. */
export function watchedResponse(response: Response, over: () => void): Response {
  const { body } = response;
  if (body === null) {
    over();
    return response;
  }
  const reader = body.getReader();
  const watched = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        over();
      },
      cancel(reason) {
        over();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const { url, redirected } = response;
  // A response that is made has none of its own.
  return Object.defineProperties(new Response(watched, response), {
    url: { value: url },
    redirected: { value: redirected },
  });
}
