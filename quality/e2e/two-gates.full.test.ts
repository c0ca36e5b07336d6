import "reflect-metadata";
import type { AddressInfo } from "node:net";
import type { RunningServer } from "@creditgate/conformance";
import type { Charge, CreditsOptions, Gate } from "@creditgate/core";
import { createTestGate } from "@creditgate/core/testing";
import { creditsMiddleware, withCredits } from "@creditgate/edge";
import { requireCredits as onExpress } from "@creditgate/express";
import { requireCredits as onFastify } from "@creditgate/fastify";
import { requireCredits as onKoa } from "@creditgate/koa";
import { CreditgateModule, Credits, RequireCredits } from "@creditgate/nestjs";
import { Controller, Get, type INestApplication, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { describe, expect, it } from "vitest";
import { listen, send, serve } from "./adapters-node.ts";

type Work = (credits: Charge) => Promise<void>;
type Start = (gate: Gate, work: Work) => Promise<RunningServer>;

const paid = {
  customer: "alice",
  agentId: "chat",
  indicator: "message",
  hold: 5,
  defaultUsage: { model: "default" },
} satisfies CreditsOptions<unknown>;

function expressApp(gate: Gate): express.Express {
  const app = express();
  app.use(onExpress(gate, paid));
  return app;
}

function nestModule(gate: Gate, work: Work): object {
  @Controller()
  class Route {
    @Get()
    @RequireCredits(paid)
    async handle(@Credits() credits: Charge) {
      await work(credits);
      return "ok";
    }
  }
  @Module({ imports: [CreditgateModule.forRoot({ gate })], controllers: [Route] })
  class App {}
  return App;
}

async function listening(app: INestApplication): Promise<RunningServer> {
  await app.listen(0, "127.0.0.1");
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => app.close() };
}

const answered = async (work: Work, credits: Charge) => {
  await work(credits);
  return new Response("ok");
};

const apps: Readonly<Record<string, Start>> = {
  "Express, on the router and around the handler": (gate, work) =>
    listen(
      expressApp(gate).get(
        "/",
        onExpress(gate, paid, async (request, response) => {
          await work(request.credits);
          response.end("ok");
        }),
      ),
    ),
  "Express, twice as middleware": (gate, work) =>
    listen(
      expressApp(gate).get("/", onExpress(gate, paid), async (request, response) => {
        await work(request.credits);
        response.end("ok");
      }),
    ),
  "Fastify, as a hook and around the handler": async (gate, work) => {
    const app = fastify({ forceCloseConnections: true });
    app.addHook("preHandler", onFastify(gate, paid));
    app.get(
      "/",
      onFastify(gate, paid, async ({ credits }) => {
        await work(credits);
        return "ok";
      }),
    );
    return { url: await app.listen({ port: 0, host: "127.0.0.1" }), close: () => app.close() };
  },
  "Koa, twice": (gate, work) => {
    const app = new Koa();
    app.silent = true;
    for (let time = 0; time < 2; time++) app.use(onKoa(gate, paid));
    app.use(async (ctx) => {
      await work(ctx.state.credits);
      ctx.body = "ok";
    });
    return listen(app.callback());
  },
  "Hono, for all routes and on the route": (gate, work) => {
    const app = new Hono<{ Variables: { credits: Charge } }>();
    app.use("*", creditsMiddleware(gate, paid));
    app.get("/", creditsMiddleware(gate, paid), (context) => answered(work, context.var.credits));
    return serve(async (request) => app.fetch(request));
  },
  "Hono, with a web handler in the route": (gate, work) => {
    const app = new Hono();
    const handler = withCredits(gate, paid, (_request, { credits }) => answered(work, credits));
    app.use("*", creditsMiddleware(gate, paid));
    app.get("/", (context) => handler(context.req.raw));
    return serve(async (request) => app.fetch(request));
  },
  "web handlers, one in the other": (gate, work) => {
    const inner = withCredits(gate, paid, (_request, { credits }) => answered(work, credits));
    return serve(withCredits(gate, paid, (request) => inner(request)));
  },
  "NestJS on Express, and Express's own": async (gate, work) => {
    const app = await NestFactory.create(nestModule(gate, work), {
      logger: false,
      forceCloseConnections: true,
    });
    app.use(onExpress(gate, paid));
    return listening(app);
  },
  "NestJS on Fastify, and Fastify's own": async (gate, work) => {
    const adapter = new FastifyAdapter({ forceCloseConnections: true });
    const module = nestModule(gate, work);
    const app = await NestFactory.create<NestFastifyApplication>(module, adapter, { logger: false });
    app.getHttpAdapter().getInstance().addHook("preHandler", onFastify(gate, paid));
    return listening(app);
  },
};

const get = { method: "GET", headers: {} };

describe.each(Object.entries(apps))("two gates on one request: %s", (_name, start) => {
  /** What becomes of one request. */
  async function trial(work: Work, ask: (url: string) => Promise<unknown>) {
    // Less than two holds.
    const { gate, outcome, emitted } = createTestGate({ alice: 6 });
    const settled = new Promise((resolve) => gate.on("settled", resolve));
    let held: number | undefined;
    const app = await start(gate, async (credits) => {
      held = (await gate.balance("alice"))?.held;
      await work(credits);
    });
    try {
      await ask(app.url);
      await settled;
      const { billed, settlements } = await outcome("alice");
      const found = emitted("duplicate").map(({ what, billed: how }) => `${what} ${how}`);
      expect([held, settlements, found]).toEqual([5, 1, ["gate once"]]);
      return billed.map(({ model }) => model);
    } finally {
      await app.close();
    }
  }

  const served = async (url: string) => expect((await send(url, get)).status).toBe(200);

  it("bills once what is reported, by one hold", async () => {
    expect(await trial(async (credits) => credits.report({ model: "m" }), served)).toEqual(["m"]);
  });

  it("bills the default once", async () => {
    expect(await trial(async () => {}, served)).toEqual(["default"]);
  });

  it("keeps the hold until its handler has ended whose client has disconnected", async () => {
    const client = new AbortController();
    const work: Work = async (credits) => {
      const left = new Promise((resolve) => credits.signal.addEventListener("abort", resolve));
      client.abort();
      await left;
      expect(credits.open).toBe(true);
      credits.report({ model: "m" });
    };
    const leaves = async (url: string) => void send(url, { ...get, signal: client.signal }).catch(() => {});
    expect(await trial(work, leaves)).toEqual(["m"]);
  });
});
