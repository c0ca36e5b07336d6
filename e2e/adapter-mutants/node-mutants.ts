import { denialMessage, endWork, responseOver } from "@creditgate/core";
import { abortLines, line } from "./contract-lines.ts";
import type { AdapterMutant } from "./mutant.ts";
import { nodeAdapter } from "./node-adapter.ts";

/** Mistakes that Node's request and response invite. */
export const nodeMutants: readonly AdapterMutant[] = [
  {
    name: "waits for `finish` alone",
    start: nodeAdapter({
      over: (_request, response) =>
        new Promise((resolve) =>
          response.once("finish", () => resolve(response.statusCode < 400 ? "completed" : "failed")),
        ),
    }),
    never: true,
    breaks: [...abortLines, line.streamFails],
  },
  {
    name: "takes every `close` for the end of an answer",
    start: nodeAdapter({
      over: (_request, response) =>
        new Promise((resolve) =>
          response.once("close", () => resolve(response.statusCode < 400 ? "completed" : "failed")),
        ),
    }),
    never: true,
    breaks: [
      line.abortDefault,
      line.abortNone,
      line.abortFunction,
      line.abortEarly,
      line.leftDeaf,
      line.leftSignal,
      line.leftAmid,
      line.leftHeld,
      line.leftAsked,
      line.leftFlat,
      line.leftOnce,
      line.leftAgain,
      line.leftSeen,
    ],
  },
  {
    name: "takes the `close` of the request for that of the connection",
    start: nodeAdapter({
      over: (request, response) =>
        new Promise((resolve) => {
          request.once("close", () => resolve("aborted"));
          responseOver(request, response).then(resolve);
        }),
    }),
    never: true,
    breaks: [
      line.many,
      line.defaultUsage,
      line.failure,
      line.handlerThrows,
      line.methodsBilled,
      line.abortEarly,
      line.leftAgain,
    ],
  },
  {
    name: "reads the status before the handler has set it",
    start: nodeAdapter({
      over: async (request, response) => {
        const { statusCode } = response;
        const how = await responseOver(request, response);
        return how === "aborted" ? how : statusCode < 400 ? "completed" : "failed";
      },
    }),
    breaks: [line.handlerThrows, line.failure],
  },
  {
    name: "listens once the gate has decided, and does not look whether the client is still there",
    start: nodeAdapter({ listens: "when admitted", isOver: () => false }),
    never: true,
    breaks: [line.abortDeciding],
  },
  {
    name: "listens for the end once the handler has returned",
    start: nodeAdapter({ listens: "when handled" }),
    never: true,
    breaks: abortLines.filter((name) => name !== line.leftGrace),
  },
  {
    name: "does not look whether the client is still there",
    start: nodeAdapter({ isOver: () => false }),
    never: true,
    breaks: [line.abortDeciding],
  },
  {
    name: "denies, and goes on",
    start: nodeAdapter({ handlesDenied: true }),
    breaks: [
      line.cannotPay,
      line.unknown,
      line.unreadable,
      line.deniesHead,
      line.methodsDenied,
      line.tricks,
      line.spellings,
      line.leftHeld,
      line.leftOnce,
    ],
  },
  {
    name: "denies without the headers",
    start: nodeAdapter({
      deny(denial, _request, response) {
        const { status, body } = denialMessage(denial);
        response.writeHead(status).end(body);
      },
    }),
    breaks: [line.cannotPay, line.unreadable, line.page, line.deniesHead],
  },
  {
    name: "looks headers up by the name that the standard writes",
    start: nodeAdapter({
      deny(denial, { headers: asked }, response) {
        const title = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
        const { status, headers, body } = denialMessage(denial, (name) => asked[title(name)]?.toString());
        response.writeHead(status, headers).end(body);
      },
    }),
    breaks: [line.page],
  },
  {
    name: "gives up at the abort, and tells the handler",
    start: nodeAdapter({
      async end({ admission, over }) {
        const how = await over;
        if (how === "aborted") admission.left();
        await admission.end(how);
      },
    }),
    never: true,
    breaks: [line.leftHeld, line.leftAsked, line.leftOnce, line.leftSeen],
  },
  {
    name: "waits for the grace alone",
    start: nodeAdapter({
      async end({ admission, over }) {
        const how = await over;
        await (how === "aborted" ? admission.left() : admission.end(how));
      },
    }),
    never: true,
    breaks: [
      line.abortReported,
      line.abortDefault,
      line.abortNone,
      line.abortFunction,
      line.abortHold,
      line.abortEarly,
      line.abortParting,
      line.leftSignal,
      line.leftAmid,
      line.leftHeld,
      line.leftDeaf,
      line.leftAsked,
      line.leftFlat,
      line.leftOnce,
      line.leftAgain,
      line.leftSeen,
    ],
  },
  {
    name: "does not look at the promise of a handler that answers in the end",
    start: nodeAdapter({ end: ({ handling: _unseen, ...work }) => endWork(work) }),
    breaks: [line.leftSeen],
  },
];
