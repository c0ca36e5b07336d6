import type { Charge, Denial } from "@creditgate/core";
import { creditsErrorFormatter, denialOf, requireCredits } from "@creditgate/trpc";
import { createTRPCClient, httpLink, isTRPCClientError, TRPCClientError } from "@trpc/client";
import { initTRPC, TRPCError } from "@trpc/server";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { z } from "zod";
import { type BilledStage, createBilledStage } from "../../core/test/billed-stage.ts";
import { signal } from "../../core/test/signal.ts";
import { type Context, connect, serve, t } from "./stage.ts";

const paid = {
  customer: ({ ctx }: { ctx: Context }) => ctx.customer,
  agentId: "chat",
  indicator: "message",
  hold: 5,
};

/** What a client's call was refused with. */
async function refusal(calling: Promise<unknown>): Promise<TRPCClientError<never>> {
  const error = await calling.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof TRPCClientError)) throw new Error("expected a refusal", { cause: error });
  return error;
}

let stage: BilledStage;
beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  stage = createBilledStage(10);
});
afterEach(() => vi.restoreAllMocks());

describe.each(["alone", "batch", "stream"] as const)("requireCredits, of a call sent %s,", (link) => {
  it("serves a customer who can pay, and bills what the procedure reported", async () => {
    const ask = t.procedure.use(requireCredits(stage.gate, paid)).query(({ ctx }) => {
      expectTypeOf(ctx.credits).toEqualTypeOf<Charge>();
      expectTypeOf(ctx.customer).toEqualTypeOf<string | undefined>();
      ctx.credits.report({ model: "a" });
      ctx.credits.report({ model: "b" });
      return { held: ctx.credits.held };
    });
    const client = await connect({ ask }, link);
    expect(await client.ask.query()).toEqual({ held: 5 });
    expect(await stage.billed()).toEqual(["a", "b"]);
    expect(await stage.outcome("alice")).toMatchObject({ held: 0, settlements: 1 });
  });

  it("asks its resolvers with the input that has been parsed before, and with the meta", async () => {
    const builder = t.procedure.input(z.object({ words: z.string().transform((text) => text.split(" ")) }));
    const ask = builder
      .use(
        requireCredits(stage.gate, { ...paid, hold: ({ input, path }) => input.words.length + path.length }),
      )
      .mutation(({ ctx, input }) => `${input.words.at(-1)} ${ctx.credits.held}`);
    const client = await connect({ ask }, link);
    expect(await client.ask.mutate({ words: "one two three" })).toBe("three 6");
    const error = await refusal(client.ask.mutate({ words: "1 2 3 4 5 6 7 8" }));
    expect(error.data).toMatchObject({ code: "PAYMENT_REQUIRED" });
  });

  it("denies before the procedure, with the denial in data.credits", async () => {
    stage = createBilledStage(4, { actionUrl: "https://app.example/top-up" });
    const work = vi.fn();
    const ask = t.procedure.use(requireCredits(stage.gate, paid)).query(work);
    const client = await connect({ ask }, link);
    const error = await client.ask.query().catch((cause) => cause);
    expect(error).toBeInstanceOf(TRPCClientError);
    expect(error).toMatchObject({ message: "Not enough credits", data: { httpStatus: 402, path: "ask" } });
    expect(error.data.credits).toEqual({
      code: "insufficient_credits",
      status: 402,
      title: "Not enough credits",
      currency: "ai_credits",
      required: 5,
      available: 4,
      shortfall: 1,
      retryable: false,
      actionUrl: "https://app.example/top-up",
    });
    expect(work).not.toHaveBeenCalled();
  });

  it("denies a stranger, and a call without a customer", async () => {
    const procedures = { ask: t.procedure.use(requireCredits(stage.gate, paid)).query(() => "served") };
    const stranger = await connect(procedures, link, "mallory");
    expect((await refusal(stranger.ask.query())).data).toMatchObject({
      code: "PAYMENT_REQUIRED",
      credits: { code: "customer_unknown" },
    });
    const nobody = await connect(procedures, link, "");
    expect((await refusal(nobody.ask.query())).data).toMatchObject({
      code: "UNAUTHORIZED",
      credits: { code: "customer_unresolved" },
    });
  });

  it("denies everyone while the gate cannot decide, who may ask again", async () => {
    const client = await connect(
      { ask: t.procedure.use(requireCredits(stage.gate, paid)).query(() => "served") },
      link,
    );
    await stage.gate.close({ graceMs: 0 });
    expect((await refusal(client.ask.query())).data).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      httpStatus: 503,
      credits: { retryable: true, retryAfter: 1 },
    });
  });

  it("bills a procedure that throws what it reported, without defaultUsage", async () => {
    const reports: string[] = ["m"];
    const options = { ...paid, defaultUsage: { model: "default" } };
    const ask = t.procedure.use(requireCredits(stage.gate, options)).query(({ ctx }) => {
      for (const model of reports.splice(0)) ctx.credits.report({ model });
      throw new TRPCError({ code: "CONFLICT", message: "of its own" });
    });
    const client = await connect({ ask }, link);
    for (const settlements of [1, 2]) {
      const error = await refusal(client.ask.query());
      expect(error).toMatchObject({ message: "of its own", data: { code: "CONFLICT" } });
      expect(error.data).not.toHaveProperty("credits");
      expect(await stage.billed(settlements)).toEqual(["m"]);
    }
    expect(await stage.outcome("alice")).toMatchObject({ held: 0 });
  });

  it("bills defaultUsage where nothing was reported, and nothing what is skipped", async () => {
    const ask = t.procedure
      .input(z.boolean())
      .use(
        requireCredits(stage.gate, {
          ...paid,
          defaultUsage: { model: "default" },
          skip: ({ input }) => input,
        }),
      )
      .query(() => "served");
    const client = await connect({ ask }, link);
    expect(await client.ask.query(true)).toBe("served");
    expect(await client.ask.query(false)).toBe("served");
    expect(await stage.billed()).toEqual(["default"]);
  });

  it("leaves to tRPC what a resolver throws, and calls no procedure", async () => {
    const work = vi.fn();
    const options = { ...paid, hold: () => Promise.reject(new Error("no session")) };
    const client = await connect(
      { ask: t.procedure.use(requireCredits(stage.gate, options)).query(work) },
      link,
    );
    expect(await refusal(client.ask.query())).toMatchObject({
      message: "no session",
      data: { code: "INTERNAL_SERVER_ERROR" },
    });
    expect(work).not.toHaveBeenCalled();
  });
});

describe.each(["batch", "stream"] as const)("the calls of a %s", (link) => {
  it("are each admitted, billed and ended for themselves", async () => {
    const waiting = signal();
    const slow = t.procedure.use(requireCredits(stage.gate, { ...paid, hold: 4 })).query(async ({ ctx }) => {
      await waiting.promise;
      ctx.credits.report({ model: "slow" });
      return "slow";
    });
    const quick = t.procedure.use(requireCredits(stage.gate, { ...paid, hold: 4 })).query(({ ctx }) => {
      ctx.credits.report({ model: "quick" });
      return "quick";
    });
    const client = await connect({ slow, quick }, link);
    const calling = Promise.allSettled([client.slow.query(), client.quick.query(), client.quick.query()]);
    expect(await stage.billed(1)).toEqual(["quick"]);
    expect(await stage.outcome("alice")).toMatchObject({ held: 4 });
    waiting.give();
    const settled = await calling;
    expect(settled.map((one) => (one.status === "fulfilled" ? one.value : one.reason.data.code))).toEqual([
      "slow",
      "quick",
      "PAYMENT_REQUIRED",
    ]);
    expect(await stage.billed(2)).toEqual(["quick", "slow"]);
  });

  it("are admitted exactly as many as the wallet can pay for", async () => {
    const waiting = signal();
    const ask = t.procedure.use(requireCredits(stage.gate, { ...paid, hold: 2 })).query(async () => {
      await waiting.promise;
      return "served";
    });
    const client = await connect({ ask }, link);
    const calling = Promise.allSettled(Array.from({ length: 12 }, () => client.ask.query()));
    await vi.waitUntil(() => stage.emitted("decision").length === 12, { timeout: 30_000 });
    waiting.give();
    expect((await calling).filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });

  it("are all left when their client disconnects, and held until they have ended", async () => {
    const [reached, working] = [signal(), signal()];
    const heeding = t.procedure.use(requireCredits(stage.gate, paid)).query(async ({ ctx }) => {
      await new Promise((resolve) => ctx.credits.signal.addEventListener("abort", resolve));
      ctx.credits.report({ model: "parting" });
    });
    const deaf = t.procedure.use(requireCredits(stage.gate, paid)).query(async ({ ctx }) => {
      reached.give();
      await working.promise;
      ctx.credits.report({ model: "deaf" });
    });
    const client = await connect({ heeding, deaf }, link);
    const leaving = new AbortController();
    const calling = Promise.allSettled([
      client.heeding.query(undefined, { signal: leaving.signal }),
      client.deaf.query(undefined, { signal: leaving.signal }),
    ]);
    await reached.promise;
    leaving.abort();
    expect(await stage.billed(1)).toEqual(["parting"]);
    await stage.clock.advance(3_600_000);
    expect(await stage.outcome("alice")).toMatchObject({ held: 5, settlements: 1 });
    working.give();
    expect(await stage.billed(2)).toEqual(["parting", "deaf"]);
    expect(await stage.outcome("alice")).toMatchObject({ held: 0 });
    expect(stage.emitted("late")).toEqual([]);
    await calling;
  });
});

describe("a call whose client disconnects", () => {
  it("settles as onAbort says", async () => {
    const reached = signal();
    const options = { ...paid, onAbort: "default", defaultUsage: { model: "default" } } as const;
    const ask = t.procedure.use(requireCredits(stage.gate, options)).mutation(async ({ ctx }) => {
      ctx.credits.report({ model: "m" });
      const aborted = new Promise((resolve) => ctx.credits.signal.addEventListener("abort", resolve));
      reached.give();
      await aborted;
    });
    const client = await connect({ ask }, "alone");
    const leaving = new AbortController();
    const calling = refusal(client.ask.mutate(undefined, { signal: leaving.signal }));
    await reached.promise;
    leaving.abort();
    await calling;
    expect(await stage.billed()).toEqual(["default"]);
  });

  it("is not served if that was while the gate decided, and gives its hold back", async () => {
    const [asked, deciding] = [signal(), signal()];
    const work = vi.fn();
    const customer = async () => {
      asked.give();
      await deciding.promise;
      return "alice";
    };
    const ask = t.procedure.use(requireCredits(stage.gate, { ...paid, customer })).query(work);
    const caller = t.createCallerFactory(t.router({ ask }));
    const leaving = new AbortController();
    const calling = caller({ customer: "alice" }, { signal: leaving.signal }).ask();
    await asked.promise;
    leaving.abort();
    deciding.give();
    await expect(calling).rejects.toMatchObject({ code: "CLIENT_CLOSED_REQUEST" });
    expect(work).not.toHaveBeenCalled();
    expect(await stage.outcome("alice")).toMatchObject({ held: 0, billed: [] });
  });
});

describe("a server-side caller", () => {
  it("is served, billed, and denied with an error whose denial denialOf() gives", async () => {
    const ask = t.procedure
      .input(z.number())
      .use(requireCredits(stage.gate, { ...paid, hold: ({ input }) => input }))
      .query(({ ctx }) => {
        ctx.credits.report({ model: "m" });
        return "served";
      });
    const caller = t.createCallerFactory(t.router({ ask }))({ customer: "alice" });
    expect(await caller.ask(5)).toBe("served");
    expect(await stage.billed()).toEqual(["m"]);
    const error = await caller.ask(11).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ name: "TRPCError", code: "PAYMENT_REQUIRED" });
    expectTypeOf(denialOf(error)).toEqualTypeOf<Denial | undefined>();
    expect(denialOf(error)).toMatchObject({ code: "insufficient_credits", required: 11 });
    expect(denialOf(new TRPCError({ code: "PAYMENT_REQUIRED" }))).toBeUndefined();
  });
});

describe("requireCredits", () => {
  it("stands behind the middlewares that find out who calls", async () => {
    const signedIn = t.procedure.use(({ ctx, next }) =>
      next({ ctx: { user: { id: ctx.customer ?? "nobody" } } }),
    );
    const creditsProcedure = signedIn.use(
      requireCredits(stage.gate, { ...paid, customer: ({ ctx }) => ctx.user.id }),
    );
    const ask = creditsProcedure.query(({ ctx }) => `${ctx.user.id} ${ctx.credits.held}`);
    const caller = t.createCallerFactory(t.router({ ask }))({ customer: "alice" });
    expect(await caller.ask()).toBe("alice 5");
  });

  it("makes a middleware for more than one procedure where the type of its context is given", async () => {
    const credits = requireCredits<Context>(stage.gate, { ...paid, customer: ({ ctx }) => ctx.customer });
    const ask = t.procedure.use(credits).query(({ ctx }) => ctx.credits.held);
    const say = t.procedure
      .input(z.string())
      .use(credits)
      .mutation(({ ctx, input }) => `${input} ${ctx.credits.held}`);
    const caller = t.createCallerFactory(t.router({ ask, say }))({ customer: "alice" });
    expect([await caller.ask(), await caller.say("a")]).toEqual([5, "a 5"]);
  });

  it("lets everyone in where the gate only observes", async () => {
    stage = createBilledStage(4, { mode: "observe" });
    const client = await connect({
      ask: t.procedure.use(requireCredits(stage.gate, paid)).query(() => "served"),
    });
    expect(await client.ask.query()).toBe("served");
  });

  it("refuses at once options that cannot be right", () => {
    const { gate } = stage;
    // @ts-expect-error a hold is a number
    expect(() => requireCredits(gate, { ...paid, hold: "5" })).toThrow("hold");
    // @ts-expect-error no option of that name
    expect(() => t.procedure.use(requireCredits(gate, { ...paid, custumer: "alice" }))).toThrow(
      'did you mean "customer"?',
    );
    // @ts-expect-error the context has none of that name
    t.procedure.use(requireCredits(gate, { ...paid, customer: ({ ctx }) => ctx.custumer }));
  });

  it("has its denial added to the shape of a formatter of one's own", async () => {
    const own = initTRPC.context<Context>().create({
      errorFormatter: (options) => {
        const shape = { ...options.shape, data: { ...options.shape.data, mine: 7 } };
        return creditsErrorFormatter({ ...options, shape });
      },
    });
    const ask = own.procedure.use(requireCredits(stage.gate, { ...paid, hold: 11 })).query(() => "");
    const router = own.router({ ask });
    const client = createTRPCClient<typeof router>({
      links: [httpLink({ url: await serve(router), headers: { "x-customer": "alice" } })],
    });
    const error: unknown = await client.ask.query().catch((cause: unknown) => cause);
    if (!isTRPCClientError<typeof router>(error)) throw error;
    expectTypeOf(error.data?.credits).toEqualTypeOf<Denial | undefined>();
    expect([error.data?.mine, error.data?.credits?.shortfall]).toEqual([7, 1]);
  });

  it("answers a denial over HTTP with its status, also without a client of tRPC", async () => {
    const url = await serve(
      t.router({ ask: t.procedure.use(requireCredits(stage.gate, { ...paid, hold: 11 })).query(() => "") }),
    );
    const response = await fetch(`${url}/ask`, { headers: { "x-customer": "alice" } });
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ error: { data: { credits: { shortfall: 1 } } } });
  });
});
