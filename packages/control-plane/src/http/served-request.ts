import type { IncomingMessage, ServerResponse } from "node:http";
import { requestIdOf } from "./answer-identity.ts";
import { clientAddress } from "./source-address.ts";

/** What an access log has of a request. */
export interface ServedRequest {
  readonly method: string;
  /** Without the query, which may name customers. */
  readonly path: string;
  /** `undefined`: the client has left before the answer. */
  readonly status: number | undefined;
  /** Until the answer was sent. */
  readonly ms: number;
  readonly address: string | undefined;
  readonly requestId: string;
}

/** Calls the listener when the request has ended. */
export function watchRequest(
  request: IncomingMessage,
  response: ServerResponse,
  trustedProxies: number,
  listener: (served: ServedRequest) => void,
): void {
  const start = performance.now();
  // Read now: a router that is mounted below a folder has taken the folder away later. As to a proxy, it may begin with a host.
  const [path = ""] = (request.url ?? "").replace(/^[a-z]+:\/\/[^/?#]*/i, "").split(/[?#]/, 1);
  response.once("close", () => {
    listener({
      method: request.method ?? "",
      path,
      status: response.writableFinished ? response.statusCode : undefined,
      ms: Math.round(performance.now() - start),
      address: clientAddress(request, trustedProxies),
      requestId: requestIdOf(request),
    });
  });
}
