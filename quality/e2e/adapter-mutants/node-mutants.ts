import type { ServerResponse } from "node:http";
import { denialMessage, NodeWork } from "@creditgate/core/adapter";
import type { AdapterMutant } from "./mutant.ts";
import { nodeAdapter } from "./node-adapter.ts";

/** The response, with the events of another. */
function observed(
  response: ServerResponse,
  events: { readonly [event: string]: readonly string[] },
): ServerResponse {
  return new Proxy(response, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== "on") return value;
      return (event: string, listener: () => void) => {
        for (const heard of events[event] ?? [event]) target.on(heard, listener);
      };
    },
  });
}

/** Mistakes that Node's request and response invite. */
export const nodeMutants: readonly AdapterMutant[] = [
  {
    name: "waits for `finish` alone",
    adapter: nodeAdapter({
      watch: (request, response) => new NodeWork(request, observed(response, { close: [] })),
    }),
    breaks: ['settles once, as onAbort "reported" says, for a client that disconnects at any chunk'],
  },
  {
    name: "takes every `close` for the end of an answer",
    adapter: nodeAdapter({
      watch: (request, response) =>
        new NodeWork(request, observed(response, { finish: ["finish", "close"], close: [] })),
    }),
    breaks: ["fires the signal of the charge when the client disconnects amid the answer"],
  },
  {
    name: "does not look whether the client is still there",
    adapter: nodeAdapter({ isOver: () => false }),
    breaks: ["does not serve a client that disconnects while the gate decides, and gives the hold back"],
  },
  {
    name: "looks headers up by the name that the standard writes",
    adapter: nodeAdapter({
      deny(denial, { headers: asked }, response) {
        const title = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
        const { status, headers, body } = denialMessage(denial, (name) => asked[title(name)]?.toString());
        response.writeHead(status, headers).end(body);
      },
    }),
    breaks: ["answers a browser's navigation with a page"],
  },
  {
    name: "does not look at the promise of a handler that answers in the end",
    adapter: nodeAdapter({
      run(work, admission, handle) {
        work.run(admission);
        return handle();
      },
    }),
    breaks: ["holds for work that it sees though the response has been ended"],
  },
  {
    name: "leaves the response of a client that has left to Node",
    adapter: nodeAdapter({
      watch: (request, response) =>
        new NodeWork(request, Object.create(response, { emit: { value: () => true } })),
    }),
    breaks: ["ends the wait for a drain of a client that has left"],
  },
];
