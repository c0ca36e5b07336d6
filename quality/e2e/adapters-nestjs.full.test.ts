import "reflect-metadata";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import {
  type AdapterAnswer,
  adapterResponse,
  adapterRoutes,
  createAdapterApp,
  type RunningServer,
  writeAdapterAnswer,
} from "@creditgate/conformance";
import type { Charge, Gate } from "@creditgate/core";
import { CreditgateModule, Credits, type CreditsRequest, RequireCredits } from "@creditgate/nestjs";
import {
  All,
  type ArgumentsHost,
  type CallHandler,
  Catch,
  Controller,
  type ExecutionContext,
  Get,
  HttpException,
  Module,
  Req,
  Res,
  StreamableFile,
} from "@nestjs/common";
import { BaseExceptionFilter, NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import express from "express";
import type { FastifyReply } from "fastify";
import { from, map, race } from "rxjs";
import { bridged, listen as listenHttp2, overHttp2, running } from "./adapters-http2.ts";
import { nodeStream, send, serve } from "./adapters-node.ts";
import { testAdapter } from "./adapters-runner.ts";

const http = { serve, send };

/** What the responses of both platforms have in common. */
interface Reply {
  readonly headersSent?: boolean;
  status(status: number): unknown;
  header(name: string, value: string): unknown;
}

/** How the handler answers, with a response that Nest sends unless it `isOwn`. */
interface Answer {
  readonly isOwn: boolean;
  give(answer: AdapterAnswer, reply: never): unknown;
}

const byReturn: Answer = {
  isOwn: false,
  give({ status, body, pushes, disconnect }, reply: Reply) {
    // Express throws where another has answered.
    if (reply.headersSent !== true) {
      reply.status(status);
      reply.header("x-handled-by", "the handler of the trial");
      reply.header("content-type", "text/plain");
    }
    if (body === null || typeof body === "string") return body ?? undefined;
    return new StreamableFile(nodeStream(body, { pushes, disconnect }));
  },
};
const byResponse: Answer = { isOwn: false, give: (answer) => adapterResponse(answer) };
const byItself: Answer = {
  isOwn: true,
  async give(answer, reply: FastifyReply) {
    if (typeof reply.hijack === "function") reply.hijack();
    await writeAdapterAnswer(answer, reply.raw ?? reply);
  },
};

const platforms = {
  Express: (module: object) => NestFactory.create(module, { logger: false, forceCloseConnections: true }),
  "Express over HTTP/2": (module: object) =>
    NestFactory.create(module, new ExpressAdapter(bridged(express())), { logger: false }),
  Fastify: (module: object) => onFastify(module, new FastifyAdapter({ forceCloseConnections: true })),
  "Fastify over HTTP/2": (module: object) => onFastify(module, new FastifyAdapter({ http2: true } as never)),
};

async function onFastify(module: object, adapter: FastifyAdapter) {
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, { logger: false });
  app
    .getHttpAdapter()
    .getInstance()
    .addContentTypeParser("*", async (_request: unknown, payload: Readable) => {
      for await (const _ of payload);
    });
  return app;
}

async function start(
  controlPlaneUrl: string,
  platform: keyof typeof platforms,
  { isOwn, give }: Answer,
): Promise<RunningServer> {
  const trial = createAdapterApp(controlPlaneUrl, ({ headers }: CreditsRequest, name) =>
    headers[name]?.toString(),
  );
  // A module has one gate: that of one route is chosen by its indicator.
  const [{ gate: enforcing }, { gate: observing }] = [trial.on("reported"), trial.on("observe")];
  const gate: Gate = {
    ...enforcing,
    authorize: (request) => (request.indicator === "observe" ? observing : enforcing).authorize(request),
    close: (options) => enforcing.close(options),
  };
  const controllers = adapterRoutes.map((route) => {
    @Controller(route)
    class Routes {
      @All()
      @RequireCredits({ ...trial.on(route).options, indicator: route })
      async handle(
        @Req() request: CreditsRequest,
        @Credits() credits: Charge,
        @Res({ passthrough: !isOwn }) reply: never,
      ) {
        const gated = { gate, indicator: route };
        return give(await trial.work(request, credits, { gated }), reply);
      }
    }
    return Routes;
  });
  @Controller("state")
  class State {
    @Get()
    state(@Req() request: CreditsRequest) {
      return trial.state(request);
    }
  }
  @Module({ imports: [CreditgateModule.forRoot({ gate })], controllers: [...controllers, State] })
  class App {}
  const app = await platforms[platform](App);
  @Catch()
  class Caught extends BaseExceptionFilter {
    override catch(error: unknown, host: ArgumentsHost) {
      const status = host.switchToHttp().getRequest<CreditsRequest>().headers["x-error-status"];
      super.catch(
        status === undefined ? error : new HttpException("the handler threw", Number(status)),
        host,
      );
    }
  }
  app.useGlobalInterceptors({
    intercept(context: ExecutionContext, next: CallHandler) {
      const another = trial.another(context.switchToHttp().getRequest());
      const values = next.handle();
      if (another === undefined) return values;
      const { early, status } = another;
      const answer = () => {
        if (status >= 400) throw new HttpException("another", status);
        const reply = context.switchToHttp().getResponse();
        reply.status(status);
        return isOwn ? reply.send("another") : "another";
      };
      return early === undefined ? values.pipe(map(answer)) : race(values, from(early).pipe(map(answer)));
    },
  });
  app.useGlobalFilters(new Caught(app.getHttpAdapter()));
  const close = () => app.close();
  if (platform === "Express over HTTP/2") {
    await app.init();
    const server = await listenHttp2(app.getHttpAdapter().getInstance());
    return { ...server, close: () => Promise.all([server.close(), close()]) };
  }
  await app.listen(0, "127.0.0.1");
  if (platform === "Fastify over HTTP/2") return running(app.getHttpServer(), close);
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close };
}

testAdapter("NestJS on Express", {
  start: (url) => start(url, "Express", byReturn),
  ...http,
  givesAnyBody: true,
});
testAdapter("NestJS on Express, whose handlers write by themselves", {
  start: (url) => start(url, "Express", byItself),
  ...http,
  onNode: true,
});
testAdapter("NestJS on Fastify", {
  start: (url) => start(url, "Fastify", byReturn),
  ...http,
  givesAnyBody: true,
});
testAdapter("NestJS on Fastify, whose handlers return a Response", {
  start: (url) => start(url, "Fastify", byResponse),
  ...http,
});
testAdapter("NestJS on Express over HTTP/2", {
  start: (url) => start(url, "Express over HTTP/2", byReturn),
  serve,
  ...overHttp2,
  givesAnyBody: true,
});
testAdapter("NestJS on Fastify over HTTP/2", {
  start: (url) => start(url, "Fastify over HTTP/2", byReturn),
  serve,
  ...overHttp2,
  givesAnyBody: true,
});
