/** What the gateway reads of a request. A web `Request` is one; on Node there is less to make. */
export interface GatewayRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Pick<Headers, "get" | "has">;
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Fires when the client disconnects. */
  readonly signal: AbortSignal;
}
