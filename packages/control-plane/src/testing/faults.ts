import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/** Limits a fault to some requests. */
export interface FaultScope {
  /** Paths that are hit, by their beginning. @default all */
  readonly paths?: readonly string[];
}

/** Makes the control plane fail as a network or a service does. The last fault wins. */
export interface Faults {
  /** Leaves requests without an answer. They are carried out when `restore` is called. */
  hang(scope?: FaultScope): void;
  /** Answers with the status, and does nothing of what was asked. 503 comes with `Retry-After: 1`. */
  unavailable(status: number, scope?: FaultScope): void;
  /** Ends the fault. */
  restore(): void;
}

interface Fault {
  readonly paths: readonly string[] | undefined;
  strike(request: IncomingMessage, response: ServerResponse, carryOut: () => void): void;
}

export function createFaults(): Faults & { intercept(handler: RequestListener): RequestListener } {
  let fault: Fault | undefined;
  let held: (() => void)[] = [];

  return {
    hang({ paths } = {}) {
      fault = { paths, strike: (_request, _response, carryOut) => held.push(carryOut) };
    },
    unavailable(status, { paths } = {}) {
      fault = { paths, strike: (request, response) => refuse(status, request, response) };
    },
    restore() {
      fault = undefined;
      const waiting = held;
      held = [];
      for (const carryOut of waiting) carryOut();
    },
    intercept: (handler) => (request, response) => {
      const hit = fault?.paths?.some((path) => request.url?.startsWith(path)) ?? fault !== undefined;
      if (hit) fault?.strike(request, response, () => handler(request, response));
      else handler(request, response);
    },
  };
}

function refuse(status: number, request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(status, {
    "content-type": "application/problem+json",
    ...(status === 503 ? { "retry-after": "1" } : {}),
  });
  response.end(JSON.stringify({ type: "about:blank", title: "Fault", status, code: "fault_injected" }));
}
