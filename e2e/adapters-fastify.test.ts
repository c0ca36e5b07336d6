import {
  type AdapterAnswer,
  type AdapterApp,
  adapterResponse,
  adapterRoutes,
  createAdapterApp,
  type RunningServer,
  testAdapter,
  writeAdapterAnswer,
} from "@creditgate/core/testing";
import { requireCredits } from "@creditgate/fastify";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { nodeStream, send, serve } from "./adapters-node.ts";
import { runner } from "./adapters-runner.ts";

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
const byStream: Answer = (answer, reply) => {
  const { status, body, pushes, leave } = answer;
  if (body === null || typeof body === "string") return byResponse(answer, reply);
  reply.code(status).header("x-handled-by", "the handler of the trial");
  return reply.send(nodeStream(body, { pushes, leave }));
};
const byItself: Answer = async (answer, reply) => {
  reply.hijack();
  await writeAdapterAnswer(answer, reply.raw);
};

async function start(controlPlaneUrl: string, mount: Mount, answer: Answer): Promise<RunningServer> {
  const header = ({ headers }: FastifyRequest, name: string) => headers[name]?.toString();
  const app = createAdapterApp(controlPlaneUrl, header);
  const server = fastify({ forceCloseConnections: true });
  server.addContentTypeParser("*", async (_request: FastifyRequest, payload: AsyncIterable<unknown>) => {
    for await (const _ of payload);
  });
  server.setErrorHandler((error, { headers }, reply) => {
    const status = headers["x-error-status"];
    return status === undefined ? reply.send(error) : reply.code(Number(status)).send("the handler threw");
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

testAdapter("Fastify", { start: (url) => start(url, around, byResponse), ...http }, runner);
testAdapter(
  "Fastify, whose handlers write by themselves",
  { start: (url) => start(url, around, byItself), ...http, onNode: true },
  runner,
);
testAdapter(
  "Fastify, as a hook, whose handlers send streams of Node",
  { start: (url) => start(url, inContext, byStream), ...http, seesHandler: false },
  runner,
);
