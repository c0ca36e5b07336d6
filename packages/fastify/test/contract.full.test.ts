import {
  type AdapterAnswer,
  type AdapterApp,
  type AnotherAnswer,
  adapterResponse,
  adapterRoutes,
  createAdapterApp,
  type RunningServer,
  writeAdapterAnswer,
} from "@creditgate/conformance";
import { requireCredits } from "@creditgate/fastify";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { overHttp2, running } from "../../../quality/e2e/adapters-http2.ts";
import { nodeStream, send, serve } from "../../../quality/e2e/adapters-node.ts";
import { testAdapter } from "../../../quality/e2e/adapters-runner.ts";

// Beside those that the contract tries, of all that Fastify routes; QUERY it refuses without a type of its content.
const http = { serve, send, methods: ["TRACE"] };

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
type Gated = ReturnType<AdapterApp<FastifyRequest>["on"]>;
/** Where the gate stands. */
type Mount = (server: FastifyInstance, url: string, gated: Gated, handler: Handler) => void;
/** How the handler answers. */
type Answer = (answer: AdapterAnswer, reply: FastifyReply) => unknown;

const around: Mount = (server, url, { gate, options }, handler) => {
  server.all(url, requireCredits(gate, options, handler));
};
const inContext: Mount = (server, url, { gate, options }, handler) => {
  server.register(async (context) => {
    context.addHook("preHandler", requireCredits(gate, options));
    context.all(url, handler);
  });
};

const byResponse: Answer = (answer) => adapterResponse(answer);
const byStream: Answer = ({ status, body, pushes, disconnect }, reply) => {
  reply.code(status).header("x-handled-by", "the handler of the trial");
  const isStream = body !== null && typeof body !== "string";
  return reply.send(isStream ? nodeStream(body, { pushes, disconnect }) : body);
};
const byItself: Answer = async (answer, reply) => {
  reply.hijack();
  await writeAdapterAnswer(answer, reply.raw);
};

async function start(
  controlPlaneUrl: string,
  mount: Mount,
  answer: Answer,
  server: FastifyInstance = fastify({ forceCloseConnections: true }),
): Promise<RunningServer> {
  const header = ({ headers }: FastifyRequest, name: string) => headers[name]?.toString();
  const app = createAdapterApp(controlPlaneUrl, header);
  server.addContentTypeParser("*", async (_request: FastifyRequest, payload: AsyncIterable<unknown>) => {
    for await (const _ of payload);
  });
  server.setErrorHandler((error, { headers }, reply) => {
    const status = headers["x-error-status"];
    return status === undefined ? reply.send(error) : reply.code(Number(status)).send("the handler threw");
  });
  const replacing = new WeakMap<FastifyRequest, AnotherAnswer>();
  server.addHook("onRequest", async (request, reply) => {
    const another = app.another(request);
    if (another === undefined) return;
    if (another.early === undefined) replacing.set(request, another);
    else another.early.then(() => reply.code(another.status).send("another"));
  });
  server.addHook("onSend", async (request, reply, payload) => {
    const another = replacing.get(request);
    if (another === undefined) return payload;
    for (const header of ["content-length", "content-type"]) reply.removeHeader(header);
    reply.code(another.status);
    return "another";
  });
  server.get("/state", (request) => app.state(request));
  for (const route of adapterRoutes) {
    mount(server, `/${route}`, app.on(route), async (request, reply) =>
      answer(await app.work(request, request.credits, {}), reply),
    );
  }
  const url = await server.listen({ port: 0, host: "127.0.0.1" });
  return { url, close: () => server.close() };
}

async function startHttp2(controlPlaneUrl: string, mount: Mount, answer: Answer): Promise<RunningServer> {
  const server = fastify({ http2: true });
  // Its types of a request differ by the server's, and nothing else here does.
  const { close } = await start(controlPlaneUrl, mount, answer, server as unknown as FastifyInstance);
  return running(server.server, close);
}

testAdapter("Fastify", { start: (url) => start(url, around, byResponse), ...http });
testAdapter("Fastify, whose handlers write by themselves", {
  start: (url) => start(url, around, byItself),
  ...http,
  onNode: true,
});
testAdapter("Fastify, as a hook, whose handlers send streams of Node", {
  start: (url) => start(url, inContext, byStream),
  ...http,
  givesAnyBody: true,
});
testAdapter("Fastify over HTTP/2, whose handlers write by themselves", {
  start: (url) => startHttp2(url, around, byItself),
  serve,
  ...overHttp2,
  onNode: true,
});
testAdapter("Fastify over HTTP/2, as a hook, whose handlers send streams of Node", {
  start: (url) => startHttp2(url, inContext, byStream),
  serve,
  ...overHttp2,
  givesAnyBody: true,
});
