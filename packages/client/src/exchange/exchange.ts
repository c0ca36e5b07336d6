/** A request as it goes out. */
export interface Outgoing {
  readonly method: "GET" | "POST";
  readonly origin: string;
  /** Encoded, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Bytes of the answer that are read at most. */
  readonly maxAnswerBytes: number;
}

/** What has become of a request. */
export interface Incoming {
  /**
   * `whole`: an answer with all of its body, but for a redirect, whose body is not read. `too_large`: an answer of which no
   * more is read. `lost`: the request was written, perhaps in part, and a whole answer has not come. `never_sent`: proved.
   */
  readonly end: "whole" | "too_large" | "lost" | "never_sent";
  /** Whenever a status line has come; browsers hide that of a redirect. */
  readonly status: number | undefined;
  /** The body where it is whole. */
  readonly text: string;
  /** Why it is lost or was never sent. */
  readonly cause: unknown;
  /** By its name in small letters. */
  header(name: string): string | undefined;
}

/** A request on its way. */
export interface Exchange {
  /** Never rejects. */
  readonly incoming: Promise<Incoming>;
  /** Gives the request up, for this reason. Without effect once it has ended. */
  stop(reason: unknown): void;
}

export type StartExchange = (outgoing: Outgoing) => Exchange;

/** Of a request that has no answer. */
export function unanswered(end: "lost" | "never_sent", cause: unknown): Incoming {
  return { end, status: undefined, text: "", cause, header: () => undefined };
}
