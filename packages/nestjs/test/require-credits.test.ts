import "reflect-metadata";
import { Readable } from "node:stream";
import { meteredFetch } from "@creditgate/ai";
import { currentCredits, runWithCredits } from "@creditgate/ai/node";
import type { Charge, Gate } from "@creditgate/core";
import {
  CreditgateModule,
  Credits,
  CreditsDeniedException,
  type CreditsRequest,
  GATE,
  RequireCredits,
} from "@creditgate/nestjs";
import {
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Inject,
  Injectable,
  type NestInterceptor,
  Param,
  Post,
  Req,
  Res,
  Sse,
  StreamableFile,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from "@nestjs/common";
import { Observable, of, timeout } from "rxjs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { signal } from "../../core/test/signal.ts";
import { createStage, type Stage, start } from "./stage.ts";

const paid = { agentId: "chat", indicator: "message", hold: 5 };

let stage: Stage;
beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  stage = createStage();
});
afterEach(() => vi.restoreAllMocks());

/** The texts that arrive, until the client has read as many as it wants. */
async function* textsOf({ body }: Response): AsyncGenerator<string> {
  for await (const chunk of body ?? []) yield new TextDecoder().decode(chunk);
}

describe.each(["Express", "Fastify"] as const)("RequireCredits, on %s,", (platform) => {
  it("serves who can pay, bills what the handler reported, and denies the others with the problem", async () => {
    const reached = vi.fn();
    @Controller()
    class Chat {
      @Post("chat")
      @RequireCredits(paid)
      chat(@Credits() credits: Charge) {
        credits.report({ model: "m" });
        return { held: credits.held };
      }

      @Get("dear")
      @RequireCredits({ ...paid, hold: 11 })
      dear() {
        reached();
      }
    }
    const { url } = await start(platform, stage.module(), [Chat]);
    const served = await fetch(`${url}/chat`, { method: "POST" });
    expect([served.status, await served.json()]).toEqual([201, { held: 5 }]);
    expect(await stage.billed()).toEqual(["m"]);
    const denied = await fetch(`${url}/dear`);
    expect([denied.status, await denied.json()]).toMatchObject([
      402,
      { code: "insufficient_credits", required: 11 },
    ]);
    expect(denied.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    expect(denied.headers.get("cache-control")).toBe("no-store");
    expect(reached).not.toHaveBeenCalled();
  });

  it("stands behind the guards, and asks its resolvers with the request that they have seen", async () => {
    class SignedIn implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        context.switchToHttp().getRequest().user = { id: "alice" };
        return true;
      }
    }
    @Controller()
    class Chat {
      @UseGuards(SignedIn)
      @RequireCredits<CreditsRequest & { params: { pages: string } }>({
        ...paid,
        hold: ({ params }) => Number(params.pages),
      })
      @Get("chat/:pages")
      chat(@Credits() credits: Charge, @Param("pages") pages: string) {
        return { pages, held: credits.held };
      }
    }
    const customer = ({ user }: CreditsRequest) => user?.id;
    const { url } = await start(platform, stage.module({ customer }), [Chat]);
    expect(await (await fetch(`${url}/chat/3`)).json()).toEqual({ pages: "3", held: 3 });
    expect((await fetch(`${url}/chat/11`)).status).toBe(402);
  });

  it("stands before each route of a controller, and on a method instead of that", async () => {
    @Controller()
    @RequireCredits(paid)
    class Chat {
      @Get("as-all")
      asAll(@Credits() credits: Charge) {
        return { held: credits.held };
      }

      @Get("dearer")
      @RequireCredits({ ...paid, hold: 7 })
      dearer(@Credits() credits: Charge) {
        return { held: credits.held };
      }
    }
    const { url } = await start(platform, stage.module(), [Chat]);
    for (const [path, held] of [
      ["as-all", 5],
      ["dearer", 7],
    ])
      expect(await (await fetch(`${url}/${path}`)).json()).toEqual({ held });
    await stage.billed(2);
    expect(stage.emitted("decision")).toHaveLength(2);
  });

  it("bills a handler that throws what it reported, without defaultUsage; Nest answers", async () => {
    const reports = ["m"];
    @Controller()
    class Chat {
      @Get("chat")
      @RequireCredits({ ...paid, defaultUsage: { model: "default" } })
      chat(@Credits() credits: Charge) {
        for (const model of reports.splice(0)) credits.report({ model });
        throw new ForbiddenException("of its own");
      }
    }
    const { url } = await start(platform, stage.module(), [Chat]);
    for (const settlements of [1, 2]) {
      const response = await fetch(`${url}/chat`);
      expect([response.status, (await response.json()).message]).toEqual([403, "of its own"]);
      expect(await stage.billed(settlements)).toEqual(["m"]);
    }
  });

  it("leaves a denial to the filter of a route that catches it", async () => {
    @Catch(CreditsDeniedException)
    class Own implements ExceptionFilter<CreditsDeniedException> {
      catch({ denial }: CreditsDeniedException, host: Parameters<ExceptionFilter["catch"]>[1]) {
        host.switchToHttp().getResponse().status(denial.status).send({ mine: denial.shortfall });
      }
    }
    @Controller()
    class Chat {
      @Get("chat")
      @UseFilters(Own)
      @RequireCredits({ ...paid, hold: 11 })
      chat() {}
    }
    const { url } = await start(platform, stage.module(), [Chat]);
    const response = await fetch(`${url}/chat`);
    expect([response.status, await response.json()]).toEqual([402, { mine: 1 }]);
  });

  it("holds while an Observable has not completed, and while a file is sent", async () => {
    const [more, last] = [signal(), signal()];
    @Controller()
    class Chat {
      @Get("observable")
      @RequireCredits(paid)
      observable(@Credits() credits: Charge) {
        return new Observable((subscriber) => {
          more.promise.then(() => {
            credits.report({ model: "observable" });
            subscriber.next({ done: true });
            subscriber.complete();
          });
        });
      }

      @Get("file")
      @RequireCredits(paid)
      file(@Credits() credits: Charge) {
        async function* chunks() {
          yield "a";
          await last.promise;
          credits.report({ model: "file" });
          yield "b";
        }
        return new StreamableFile(Readable.from(chunks()));
      }
    }
    const { url } = await start(platform, stage.module(), [Chat]);
    const answering = fetch(`${url}/observable`);
    await vi.waitUntil(() => stage.emitted("decision").length === 1, { timeout: 30_000 });
    expect(await stage.outcome("alice")).toMatchObject({ held: 5, settlements: 0 });
    more.give();
    expect(await (await answering).json()).toEqual({ done: true });
    expect(await stage.billed()).toEqual(["observable"]);
    const texts = textsOf(await fetch(`${url}/file`));
    expect((await texts.next()).value).toBe("a");
    expect(await stage.outcome("alice")).toMatchObject({ held: 5, settlements: 1 });
    last.give();
    expect((await texts.next()).value).toBe("b");
    expect(await stage.billed(2)).toEqual(["observable", "file"]);
  });

  it("holds for a stream that a handler has given when its client had left, until its work has reported", async () => {
    const [called, left, cut, last] = [signal(), signal(), signal(), signal()];
    @Controller()
    class Chat {
      @Get("file")
      @RequireCredits(paid)
      async file(@Credits() credits: Charge) {
        called.give();
        credits.signal.addEventListener("abort", left.give);
        await left.promise;
        const file = new Readable({ read() {} }).once("close", cut.give).on("error", () => {});
        last.promise.then(() => credits.report({ model: "parting" }));
        return new StreamableFile(file);
      }
    }
    const { url } = await start(platform, stage.module(), [Chat]);
    const client = new AbortController();
    const answering = fetch(`${url}/file`, { signal: client.signal }).catch(() => {});
    await called.promise;
    client.abort();
    await answering;
    await cut.promise;
    expect(await stage.outcome("alice")).toMatchObject({ held: 5, settlements: 0 });
    last.give();
    expect(await stage.billed()).toEqual(["parting"]);
    expect(stage.emitted("late")).toEqual([]);
  });

  it("bills as a failure a file that fails, without defaultUsage", async () => {
    const failing = signal();
    @Controller()
    class Chat {
      @Get("file")
      @RequireCredits({ ...paid, defaultUsage: { model: "default" } })
      file() {
        async function* chunks() {
          yield "a";
          await failing.promise;
          throw new Error("of its own");
        }
        return new StreamableFile(Readable.from(chunks()));
      }
    }
    const { url } = await start(platform, stage.module(), [Chat]);
    const texts = textsOf(await fetch(`${url}/file`));
    await texts.next();
    failing.give();
    await expect(texts.next()).rejects.toThrow();
    expect(await stage.billed()).toEqual([]);
    expect(await stage.outcome("alice")).toMatchObject({ held: 0 });
  });

  describe("of server-sent events", () => {
    it("is held while they come, and ends when its client disconnects", async () => {
      @Controller()
      class Chat {
        @Sse("events")
        @RequireCredits(paid)
        events(@Credits() credits: Charge) {
          return new Observable<{ data: string }>((subscriber) => {
            credits.report({ model: "begun" });
            subscriber.next({ data: "a" });
            credits.signal.addEventListener("abort", () => credits.report({ model: "parting" }));
          });
        }
      }
      const { url } = await start(platform, stage.module(), [Chat]);
      const client = new AbortController();
      const response = await fetch(`${url}/events`, { signal: client.signal });
      let text = "";
      for await (const part of textsOf(response)) {
        text += part;
        if (text.includes("data: a")) break;
      }
      expect(await stage.outcome("alice")).toMatchObject({ held: 5, settlements: 0 });
      client.abort();
      expect(await stage.billed()).toEqual(["begun", "parting"]);
      expect(await stage.outcome("alice")).toMatchObject({ held: 0 });
      expect(stage.emitted("late")).toEqual([]);
    });

    it("are billed when they have ended, and denied by the status of the response", async () => {
      const deciding = signal();
      @Controller()
      class Chat {
        @Sse("events")
        @RequireCredits(paid)
        events(@Credits() credits: Charge) {
          credits.report({ model: "m" });
          return of({ data: "a" });
        }

        @Sse("dear")
        @RequireCredits({ ...paid, hold: () => deciding.promise.then(() => 11) })
        dear() {
          return of({ data: "never" });
        }
      }
      const { url } = await start(platform, stage.module(), [Chat]);
      const answering = fetch(`${url}/dear`);
      expect(await (await fetch(`${url}/events`)).text()).toContain("data: a");
      expect(await stage.billed()).toEqual(["m"]);
      deciding.give();
      const denied = await answering;
      expect([denied.status, await denied.json()]).toMatchObject([402, { code: "insufficient_credits" }]);
    });

    it("give the hold back where a later guard refuses", async () => {
      class Never implements CanActivate {
        canActivate = () => false;
      }
      @Controller()
      class Chat {
        @UseGuards(Never)
        @RequireCredits({ ...paid, defaultUsage: { model: "default" } })
        @Sse("events")
        events() {
          return of({ data: "never" });
        }
      }
      const { url } = await start(platform, stage.module(), [Chat]);
      expect((await fetch(`${url}/events`)).status).toBe(403);
      expect(await stage.billed()).toEqual([]);
      expect(await stage.outcome("alice")).toMatchObject({ held: 0 });
    });
  });

  it("calls no handler, and holds nothing, where an interceptor has answered while the gate decided", async () => {
    const [asked, deciding, reached] = [signal(), signal(), vi.fn()];
    class Impatient implements NestInterceptor {
      intercept = (_context: ExecutionContext, next: CallHandler) => next.handle().pipe(timeout(1));
    }
    @Controller()
    class Chat {
      @Get("chat")
      @RequireCredits({
        ...paid,
        customer: async () => {
          asked.give();
          await deciding.promise;
          return "alice";
        },
      })
      @UseInterceptors(Impatient)
      chat() {
        reached();
      }
    }
    @Controller()
    @UseInterceptors(Impatient)
    class Outer extends Chat {}
    const { url } = await start(platform, stage.module(), [Outer]);
    const answering = fetch(`${url}/chat`);
    await asked.promise;
    expect((await answering).status).toBe(500);
    deciding.give();
    await stage.billed();
    expect(await stage.outcome("alice")).toMatchObject({ held: 0, billed: [] });
    expect(reached).not.toHaveBeenCalled();
  });

  it("finds its charge by runWithCredits(), so that a metered model bills it", async () => {
    const usage = { prompt_tokens: 12, completion_tokens: 40, total_tokens: 52 };
    const completion = { id: "c", object: "chat.completion", model: "gpt-5", choices: [], usage };
    const ask = meteredFetch(currentCredits, { fetch: async () => Response.json(completion), logger: false });
    @Controller()
    class Chat {
      @Get("chat")
      @RequireCredits(paid)
      chat(@Req() { credits }: { credits: Charge }) {
        return runWithCredits(credits, async () => {
          const body = JSON.stringify({ model: "gpt-5", messages: [] });
          return (await ask("https://api.openai.com/v1/chat/completions", { method: "POST", body })).json();
        });
      }
    }
    const { url } = await start(platform, stage.module(), [Chat]);
    expect((await fetch(`${url}/chat`)).status).toBe(200);
    expect(await stage.billed()).toEqual(["gpt-5"]);
  });

  it("bills a handler that writes to the response by itself when its promise has settled", async () => {
    const writing = signal();
    @Controller()
    class Chat {
      @Get("chat")
      @RequireCredits(paid)
      async chat(
        @Credits() credits: Charge,
        @Res() reply: { raw?: NodeJS.WritableStream } & NodeJS.WritableStream,
      ) {
        const response = reply.raw ?? reply;
        response.end("done");
        await writing.promise;
        credits.report({ model: "m" });
      }
    }
    const { url } = await start(platform, stage.module(), [Chat]);
    expect(await (await fetch(`${url}/chat`)).text()).toBe("done");
    expect(await stage.outcome("alice")).toMatchObject({ held: 5, settlements: 0 });
    writing.give();
    expect(await stage.billed()).toEqual(["m"]);
    expect(stage.emitted("late")).toEqual([]);
  });
});

describe("CreditgateModule", () => {
  @Injectable()
  class Config {
    readonly agentId = "chat";
  }
  class ConfigModule {}
  const config = { module: ConfigModule, providers: [Config], exports: [Config] };

  it("is made by a factory of what Nest provides, and provides its gate", async () => {
    const held = vi.fn();
    @Controller()
    class Chat {
      readonly gate: Gate;
      constructor(@Inject(GATE) gate: Gate) {
        this.gate = gate;
      }

      @Get("chat")
      @RequireCredits({ indicator: "message", hold: 5 })
      async chat(@Credits() _credits: Charge) {
        held((await this.gate.balance("alice"))?.held);
      }
    }
    const module = CreditgateModule.forRootAsync({
      imports: [config],
      inject: [Config],
      useFactory: async ({ agentId }: Config) => ({ gate: stage.gate, customer: "alice", agentId }),
    });
    const { url } = await start("Express", module, [Chat]);
    expect((await fetch(`${url}/chat`)).status).toBe(200);
    expect(held).toHaveBeenCalledWith(5);
  });

  it("closes its gate when the application shuts down", async () => {
    const { app } = await start("Express", stage.module(), []);
    await app.close();
    const closed = await stage.gate.authorize({ customerId: "alice", ...paid });
    expect(closed).toMatchObject({ allowed: false, denial: { code: "closing" } });
  });

  it("refuses to start with options that cannot be right, or are missing", async () => {
    @Controller()
    class Chat {
      // @ts-expect-error a hold is a number
      @RequireCredits({ ...paid, hold: "5" })
      @Get("chat")
      chat() {}
    }
    await expect(start("Express", stage.module(), [Chat])).rejects.toThrow("hold");
    @Controller()
    class Incomplete {
      @RequireCredits({ hold: 5 })
      @Get("chat")
      chat() {}
    }
    await expect(start("Express", stage.module(), [Incomplete])).rejects.toThrow("agentId");
  });
});
