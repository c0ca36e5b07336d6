import { createRequire } from "node:module";
import {
  type AdapterAnswer,
  adapterResponse,
  adapterRoutes,
  createAdapterApp,
  type RunningServer,
  writeAdapterAnswer,
} from "@creditgate/conformance";
import { requireCredits } from "@creditgate/koa";
import Koa, { type Context, type Middleware } from "koa";
import { listen as listenHttp2, overHttp2 } from "../../../quality/e2e/adapters-http2.ts";
import { listen, nodeStream, send, serve } from "../../../quality/e2e/adapters-node.ts";
import { testAdapter } from "../../../quality/e2e/adapters-runner.ts";

// Installed as an alias; its API is the same as far as it is used here.
const Koa2: typeof Koa = createRequire(import.meta.url)("koa2");

const http = { serve, send, methods: ["TRACE", "QUERY", "PROPFIND"] };

/** How the handler answers. */
type Answer = (answer: AdapterAnswer, ctx: Context) => unknown;

const byResponse: Answer = (answer, ctx) => {
  ctx.body = adapterResponse(answer);
};
const byStream: Answer = ({ status, body, pushes, disconnect }, ctx) => {
  ctx.set("x-handled-by", "the handler of the trial");
  // Koa forgets a body to which a status without one is given.
  ctx.body = null;
  ctx.status = status;
  if (body !== null) ctx.body = typeof body === "string" ? body : nodeStream(body, { pushes, disconnect });
};
/** Koa forgets a body to which a status without one is given, and what fills it works on. */
const byStreamFirst: Answer = ({ status, body, pushes, disconnect }, ctx) => {
  ctx.set("x-handled-by", "the handler of the trial");
  const isStream = body !== null && typeof body !== "string";
  ctx.body = isStream ? nodeStream(body, { pushes, disconnect }) : body;
  ctx.status = status;
};
const byItself: Answer = (answer, ctx) => {
  ctx.respond = false;
  return writeAdapterAnswer(answer, ctx.res);
};

function koaApp(controlPlaneUrl: string, framework: typeof Koa, answer: Answer): Koa {
  const app = createAdapterApp(controlPlaneUrl, ({ headers }: Context, name) => headers[name]?.toString());
  const server = new framework();
  server.silent = true;
  const routes = new Map<string, Middleware>(
    adapterRoutes.map((route) => {
      const { gate, options } = app.on(route);
      return [`/${route}`, requireCredits(gate, options)];
    }),
  );
  server.use(async (ctx, next) => {
    const status = ctx.get("x-error-status");
    await next().catch((error) => {
      if (status === "") throw error;
      ctx.status = Number(status);
      ctx.body = "the handler threw";
    });
  });
  server.use(async (ctx, next) => {
    const another = app.another(ctx);
    if (another === undefined) return next();
    const answering = next();
    answering.catch(() => {});
    await (another.early ?? answering);
    ctx.body = "another";
    ctx.status = another.status;
  });
  server.use(async (ctx, next) => {
    if (ctx.path === "/state") ctx.body = await app.state(ctx);
    else await routes.get(ctx.path)?.(ctx, next);
  });
  server.use(async (ctx) => {
    await answer(await app.work(ctx, ctx.state.credits, {}), ctx);
  });
  return server;
}

const start = (...app: Parameters<typeof koaApp>): Promise<RunningServer> =>
  listen(koaApp(...app).callback());
const startHttp2 = (...app: Parameters<typeof koaApp>): Promise<RunningServer> =>
  listenHttp2(koaApp(...app).callback());

function unanswered({ ending, request }: { readonly ending: string; readonly request: string }) {
  return request === "HEAD" && ending.startsWith("handler throws")
    ? "Koa answers no error to a HEAD over HTTP/2"
    : undefined;
}

testAdapter("Koa", { start: (url) => start(url, Koa, byResponse), ...http });
testAdapter("Koa, whose handlers write by themselves", {
  start: (url) => start(url, Koa, byItself),
  ...http,
  onNode: true,
});
testAdapter("Koa 2, whose handlers answer with streams of Node", {
  start: (url) => start(url, Koa2, byStreamFirst),
  ...http,
  givesAnyBody: true,
});
testAdapter("Koa over HTTP/2, whose handlers write by themselves", {
  start: (url) => startHttp2(url, Koa, byItself),
  serve,
  ...overHttp2,
  onNode: true,
  impossible: unanswered,
});
testAdapter(
  // Koa 2 answers no HEAD there.
  "Koa over HTTP/2, whose handlers answer with streams of Node",
  {
    start: (url) => startHttp2(url, Koa, byStream),
    serve,
    ...overHttp2,
    givesAnyBody: true,
    impossible: unanswered,
  },
);
