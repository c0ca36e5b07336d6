import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import {
  adapterRoutes,
  createAdapterApp,
  type RunningServer,
  writeAdapterAnswer,
} from "@creditgate/conformance";
import type { Charge, Denial } from "@creditgate/core";
import {
  type Admission,
  type Admitted,
  createAdmission,
  denialMessage,
  NodeWork,
} from "@creditgate/core/adapter";
import { listen } from "../adapters-node.ts";
import type { TriedAdapter } from "./mutant.ts";

type Admit = (request: IncomingMessage) => Promise<Admission>;
type Handle = (request: IncomingMessage, response: ServerResponse, credits: Charge) => Promise<void>;

/** What an adapter of Node's handlers is made of, to be exchanged one at a time. */
export interface NodeParts {
  watch(request: IncomingMessage, response: ServerResponse): NodeWork;
  isOver(work: NodeWork, admission: Admission): boolean;
  run(work: NodeWork, admission: Admitted, handle: () => Promise<void>): Promise<void>;
  deny(denial: Denial, request: IncomingMessage, response: ServerResponse): void;
}

const right: NodeParts = {
  watch: (request, response) => new NodeWork(request, response),
  isOver: (work, admission) => work.isOver(admission),
  run: (work, admission, handle) => work.run(admission, handle),
  deny(denial, request, response) {
    const { status, headers, body } = denialMessage(denial, (name) => headerOf(request, name));
    response.writeHead(status, headers).end(body);
  },
};

/**
 * The app on trial behind an adapter that is right but for these parts. As in Fastify, the request has been read when it
 * comes to the gate.
 */
export function nodeAdapter(
  faulty: Partial<NodeParts> = {},
  listenOn: (listener: RequestListener) => Promise<RunningServer> = listen,
): TriedAdapter {
  const parts = { ...right, ...faulty };
  const start: TriedAdapter["start"] = (controlPlaneUrl) => {
    const app = createAdapterApp(controlPlaneUrl, headerOf);
    const routes = new Map<string, Parameters<typeof gated>[1]>(
      adapterRoutes.map((route) => {
        const { gate, options } = app.on(route);
        return [`/${route}`, createAdmission<IncomingMessage>(gate, options)];
      }),
    );
    const handle: Handle = async (request, response, credits) =>
      writeAdapterAnswer(await app.work(request, credits, {}), response);
    return listenOn(
      framework(async (request, response) => {
        const another = app.another(request);
        another?.early?.then(
          () => response.headersSent || response.writeHead(another.status).end("another"),
          () => {},
        );
        const admit = routes.get(request.url ?? "");
        if (admit !== undefined) await gated(parts, admit, handle, request, response);
        else response.end(JSON.stringify(await app.state(request)));
      }),
    );
  };
  return { start, onNode: true };
}

async function gated(
  parts: NodeParts,
  admit: Admit,
  handle: Handle,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const work = parts.watch(request, response);
  request.resume();
  await once(request, "end");
  const admission = await admit(request);
  if (parts.isOver(work, admission)) return;
  if (!admission.admitted) return parts.deny(admission.denial, request, response);
  await parts.run(work, admission, () => handle(request, response, admission.credits));
}

/** Answers what throws. */
function framework(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): RequestListener {
  return async (request, response) => {
    try {
      await handle(request, response);
    } catch {
      if (!response.headersSent) response.writeHead(500).end("the handler threw");
    }
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  return headers[name]?.toString();
}
