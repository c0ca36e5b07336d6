import {
  type AdapterSurroundings,
  adapterResponse,
  adapterRoutes,
  answeredByAnother,
  createAdapterApp,
} from "@creditgate/conformance";
import type { Charge, GateOptions } from "@creditgate/core";
import { creditsMiddleware, withCredits } from "@creditgate/edge";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";

/** What the runtimes hand to a handler, as far as it is used here. */
export interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
}
export type Fetch = (request: Request, context?: ExecutionContext) => Promise<Response>;

interface HonoEnv {
  Variables: { credits: Charge };
}
const headerIn = ({ req }: Context<HonoEnv>, name: string) => req.header(name);
const headerOf = (request: Request, name: string) => request.headers.get(name);

/** The app on trial behind `withCredits` of @creditgate/edge. */
export function createEdgeApp(controlPlaneUrl: string, gateOptions: Partial<GateOptions> = {}): Fetch {
  const app = createAdapterApp(controlPlaneUrl, headerOf, gateOptions);
  const routes = new Map<string, Fetch>(
    adapterRoutes.map((route) => {
      const { gate, options } = app.on(route);
      const handler = withCredits(
        gate,
        options,
        async (request, { credits }, context: ExecutionContext | undefined) =>
          adapterResponse(await app.work(request, credits, surroundingsOf(context))),
      );
      return [`/${route}`, (request, context) => handler(request, context)];
    }),
  );
  return async (request, context) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/state") return Response.json(await app.state(request));
    const handling = routes.get(pathname)?.(request, context) ?? new Response(null, { status: 404 });
    const answering = answeredByAnother(app.another(request), Promise.resolve(handling));
    const status = headerOf(request, "x-error-status");
    if (status === null) return answering;
    return answering.catch(() => new Response("the handler threw", { status: Number(status) }));
  };
}

/** The app on trial behind `creditsMiddleware` in Hono. */
export function createHonoApp(controlPlaneUrl: string, gateOptions: Partial<GateOptions> = {}): Fetch {
  const hono = new Hono<HonoEnv>();
  const app = createAdapterApp(controlPlaneUrl, headerIn, gateOptions);
  hono.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    const status = context.req.header("x-error-status") === "200" ? 200 : 500;
    return context.text("the handler threw", status);
  });
  hono.get("/state", async (context) => context.json(await app.state(context)));
  hono.use(async (context, next) => {
    const another = app.another(context);
    if (another === undefined) return next();
    const { status, early } = another;
    const answering = next();
    // As `timeout()` of Hono does.
    if (early !== undefined) {
      await Promise.race([
        answering,
        early.then(() => {
          throw new HTTPException(status as never, { res: new Response("another", { status }) });
        }),
      ]);
    }
    await answering;
    context.res = new Response("another", { status });
  });
  for (const route of adapterRoutes) {
    const { gate, options } = app.on(route);
    hono.all(`/${route}`, creditsMiddleware(gate, options), async (context) => {
      const surroundings = surroundingsOf(executionOf(context));
      return adapterResponse(await app.work(context, context.var.credits, surroundings));
    });
  }
  return async (request, context) => hono.fetch(request, {}, context as never);
}

function surroundingsOf(context: ExecutionContext | undefined): AdapterSurroundings {
  return { background: (work) => context?.waitUntil(work) };
}

function executionOf(context: { readonly executionCtx: ExecutionContext }): ExecutionContext | undefined {
  try {
    return context.executionCtx;
  } catch {
    return undefined;
  }
}
