/** An answer that stands outside of the gate, as a timeout or an error handler gives it. */
export interface AnotherAnswer {
  readonly status: number;
  /** Resolves when it is given, whatever the handler does meanwhile; without it, it takes the place of the handler's answer. */
  readonly early?: Promise<unknown>;
}

/** What a request asks for by its header `x-another`: the status, and whether it comes when the contract lets it (`early 503`). */
export function anotherAnswer(
  asked: string | null | undefined,
  controlPlaneUrl: string,
  run: string,
): AnotherAnswer | undefined {
  const [when, status] = asked?.split(" ") ?? [];
  if (status === undefined) return undefined;
  if (when !== "early") return { status: Number(status) };
  // A POST, because some frameworks cache GETs.
  return {
    status: Number(status),
    early: fetch(`${controlPlaneUrl}/steps/${run}/early`, { method: "POST" }),
  };
}

/** The other answer where one is asked for, and else that of the handler, for apps that answer with web responses. */
export async function answeredByAnother(
  another: AnotherAnswer | undefined,
  answering: Promise<Response>,
): Promise<Response> {
  if (another === undefined) return answering;
  // Whoever has answered early drops what is thrown behind it.
  answering.catch(() => {});
  await (another.early ?? answering);
  return new Response("another", { status: another.status });
}
