import { denialMessage, endWork } from "@creditgate/core";
import type { AdapterMutant } from "./mutant.ts";
import { nodeAdapter } from "./node-adapter.ts";

/** Mistakes that Node's request and response invite. */
export const nodeMutants: readonly AdapterMutant[] = [
  {
    name: "waits for `finish` alone",
    adapter: nodeAdapter({
      over: (_request, response) =>
        new Promise((resolve) =>
          response.once("finish", () => resolve(response.statusCode < 400 ? "completed" : "failed")),
        ),
    }),
    breaks: ['settles once, as onAbort "reported" says, for a client that leaves at any chunk'],
  },
  {
    name: "takes every `close` for the end of an answer",
    adapter: nodeAdapter({
      over: (_request, response) =>
        new Promise((resolve) =>
          response.once("close", () => resolve(response.statusCode < 400 ? "completed" : "failed")),
        ),
    }),
    breaks: ["fires the signal of the charge when the client leaves amid the answer"],
  },
  {
    name: "does not look whether the client is still there",
    adapter: nodeAdapter({ isOver: () => false }),
    breaks: ["does not serve a client that leaves while the gate decides, and gives the hold back"],
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
    adapter: nodeAdapter({ end: ({ handling: _unseen, ...work }) => endWork(work) }),
    breaks: ["holds for work that it sees though the response has been ended"],
  },
  {
    name: "leaves the response of a client that has left to Node",
    adapter: nodeAdapter({
      async end({ admission, over, handling }) {
        const how = await over;
        await Promise.resolve(handling).catch(() => {});
        await admission.end(how);
      },
    }),
    breaks: ["ends the wait for a drain of a client that has left"],
  },
];
