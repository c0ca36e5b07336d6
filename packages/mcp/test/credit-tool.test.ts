import { meteredFetch } from "@creditgate/ai";
import { currentCredits, runWithCredits } from "@creditgate/ai/node";
import type { Gate } from "@creditgate/core";
import { creditTool, denialKey, type GatedExtra, type ToolCreditsOptions } from "@creditgate/mcp";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { type BilledStage, createBilledStage } from "../../core/test/billed-stage.ts";
import { signal } from "../../core/test/signal.ts";
import { inMemory, overHttp } from "./stage.ts";

const paid = { agentId: "search", indicator: "search", hold: 5 };
const done: CallToolResult = { content: [{ type: "text", text: "done" }] };
const work = { name: "work" };

type Handler = (extra: GatedExtra) => CallToolResult | Promise<CallToolResult>;

/** A server with one tool, `work`. */
function serverOf(
  gate: Gate,
  handler: Handler,
  options: Partial<ToolCreditsOptions<undefined>> = {},
): McpServer {
  const server = new McpServer({ name: "server", version: "1" });
  server.registerTool("work", {}, creditTool(gate, { ...paid, ...options }, handler));
  return server;
}

/** The denial that a result carries. */
async function denialOf(client: Client): Promise<unknown> {
  const { isError, _meta } = await client.callTool(work);
  expect(isError).toBe(true);
  return _meta?.[denialKey];
}

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

describe.each([
  ["in memory", inMemory],
  ["over Streamable HTTP", overHttp],
])("creditTool, %s", (_name, connect) => {
  let stage: BilledStage;
  beforeEach(() => {
    stage = createBilledStage(10);
  });

  it("serves a customer who can pay, and bills what the handler reported", async () => {
    const server = serverOf(stage.gate, ({ credits }) => {
      credits.report({ model: "a" });
      credits.report({ model: "b" });
      return done;
    });
    const client = await connect(server, "alice");
    expect(await client.callTool(work)).toEqual(done);
    expect(await stage.billed()).toEqual(["a", "b"]);
    expect(await stage.outcome("alice")).toMatchObject({ held: 0, settlements: 1 });
  });

  it("hands on the arguments that the schema has parsed, also to the resolvers", async () => {
    const server = new McpServer({ name: "server", version: "1" });
    const inputSchema = { words: z.string().transform((text) => text.split(" ")) };
    server.registerTool(
      "work",
      { inputSchema },
      creditTool(
        stage.gate,
        { ...paid, hold: ({ args }) => args.words.length },
        async ({ words }, { credits }) => ({
          content: [{ type: "text", text: `${words.at(-1)} ${credits.held}` }],
        }),
      ),
    );
    const client = await connect(server, "alice");
    const call = (words: string) => client.callTool({ name: "work", arguments: { words } });
    expect(await call("one two three")).toMatchObject({ content: [{ text: "three 3" }] });
    expect(await call("1 2 3 4 5 6 7 8 9 10 11")).toMatchObject({ isError: true });
  });

  it("bills defaultUsage where nothing was reported, and only then", async () => {
    const reports = ["m", undefined];
    const handler: Handler = ({ credits }) => {
      const model = reports.pop();
      if (model !== undefined) credits.report({ model });
      return done;
    };
    const client = await connect(
      serverOf(stage.gate, handler, { defaultUsage: { model: "default" } }),
      "alice",
    );
    await client.callTool(work);
    expect(await stage.billed(1)).toEqual(["default"]);
    await client.callTool(work);
    expect(await stage.billed(2)).toEqual(["default", "m"]);
  });

  it("bills each of two calls at once to its own customer", async () => {
    const waiting = signal();
    const handler: Handler = async ({ credits, authInfo }) => {
      await waiting.promise;
      credits.report({ model: `of ${authInfo?.extra?.customerId}` });
      return done;
    };
    const [alice, bob] = [
      await connect(serverOf(stage.gate, handler), "alice"),
      await connect(serverOf(stage.gate, handler), "bob"),
    ];
    const calls = [alice.callTool(work), bob.callTool(work)];
    waiting.give();
    await Promise.all(calls);
    expect(await stage.billed(2)).toEqual(["of alice"]);
  });

  describe("denies before the handler", () => {
    it("with an error that says what is missing, and whose data is in _meta", async () => {
      stage = createBilledStage(4, { actionUrl: "https://app.example/top-up" });
      const handler = vi.fn(() => done);
      const client = await connect(serverOf(stage.gate, handler), "alice");
      expect(await client.callTool(work)).toEqual({
        isError: true,
        content: [
          {
            type: "text",
            text: "Not enough credits. This call needs 5 ai_credits, and 4 can be spent now. To go on: https://app.example/top-up",
          },
        ],
        _meta: {
          [denialKey]: {
            type: "urn:creditgate:denial:insufficient_credits",
            code: "insufficient_credits",
            status: 402,
            title: "Not enough credits",
            currency: "ai_credits",
            required: 5,
            available: 4,
            shortfall: 1,
            retryable: false,
            actionUrl: "https://app.example/top-up",
          },
        },
      });
      expect(handler).not.toHaveBeenCalled();
    });

    it("also a tool with an output schema, by which its client checks what is structured", async () => {
      const server = new McpServer({ name: "server", version: "1" });
      const outputSchema = { answer: z.string() };
      server.registerTool(
        "work",
        { outputSchema },
        creditTool(stage.gate, { ...paid, hold: 11 }, async () => ({
          content: [],
          structuredContent: { answer: "42" },
        })),
      );
      const client = await connect(server, "alice");
      await client.listTools();
      expect(await denialOf(client)).toMatchObject({ status: 402 });
    });

    it("a customer that the service does not know, and a call without one", async () => {
      const handler = vi.fn(() => done);
      const stranger = await connect(serverOf(stage.gate, handler), "mallory");
      expect(await denialOf(stranger)).toMatchObject({ status: 402, code: "customer_unknown" });
      const nobody = await connect(serverOf(stage.gate, handler));
      expect(await denialOf(nobody)).toMatchObject({ status: 401, code: "customer_unresolved" });
      expect(handler).not.toHaveBeenCalled();
    });

    it("everyone while the gate cannot decide, who may ask again", async () => {
      const client = await connect(
        serverOf(stage.gate, () => done),
        "alice",
      );
      await stage.gate.close({ graceMs: 0 });
      expect(await client.callTool(work)).toMatchObject({
        isError: true,
        content: [{ text: "The service is shutting down. Try again in 1 s." }],
        _meta: { [denialKey]: { status: 503, retryable: true } },
      });
    });

    it("nobody where the gate only observes", async () => {
      stage = createBilledStage(4, { mode: "observe" });
      const client = await connect(
        serverOf(stage.gate, () => done),
        "alice",
      );
      expect(await client.callTool(work)).toEqual(done);
    });
  });

  describe("bills as a failure, so only what was reported,", () => {
    const defaultUsage = { model: "default" };

    it.each<[string, Handler]>([
      [
        "a handler that throws, whose error is the SDK's to answer",
        () => {
          throw new Error("done");
        },
      ],
      ["a result that is an error", () => ({ ...done, isError: true })],
    ])("%s", async (_kind, fail) => {
      const reports: string[] = ["m"];
      const handler: Handler = (extra) => {
        for (const model of reports.splice(0)) extra.credits.report({ model });
        return fail(extra);
      };
      const client = await connect(serverOf(stage.gate, handler, { defaultUsage }), "alice");
      for (const settlements of [1, 2]) {
        expect(await client.callTool(work)).toEqual({ ...done, isError: true });
        expect(await stage.billed(settlements)).toEqual(["m"]);
      }
      expect(await stage.outcome("alice")).toMatchObject({ held: 0 });
    });

    it("what a resolver throws, and calls no handler", async () => {
      const handler = vi.fn(() => done);
      const customer = () => Promise.reject(new Error("no session"));
      const client = await connect(serverOf(stage.gate, handler, { customer }), "alice");
      expect(await client.callTool(work)).toMatchObject({ isError: true, content: [{ text: "no session" }] });
      expect(handler).not.toHaveBeenCalled();
    });
  });

  describe("a call that is cancelled", () => {
    /** Calls, and cancels when the handler is at work. */
    async function cancel(client: Client, reached: Promise<void>): Promise<void> {
      const caller = new AbortController();
      const calling = client.callTool(work, undefined, { signal: caller.signal });
      await reached;
      caller.abort("changed my mind");
      await expect(calling).rejects.toThrow("changed my mind");
    }

    it("fires the signal, and bills what was reported once the handler has ended", async () => {
      const reached = signal();
      const client = await connect(
        serverOf(stage.gate, async ({ credits }) => {
          reached.give();
          await new Promise((resolve) => credits.signal.addEventListener("abort", resolve));
          credits.report({ model: "parting" });
          return done;
        }),
        "alice",
      );
      await cancel(client, reached.promise);
      expect(await stage.billed()).toEqual(["parting"]);
      expect(await stage.outcome("alice")).toMatchObject({ held: 0 });
      expect(stage.emitted("late")).toEqual([]);
    });

    it("holds for a handler that goes on; others are denied meanwhile, and may ask again", async () => {
      const [reached, heard, working] = [signal(), signal(), signal()];
      const client = await connect(
        serverOf(
          stage.gate,
          async ({ credits }) => {
            credits.signal.addEventListener("abort", heard.give);
            reached.give();
            await working.promise;
            credits.report({ model: "m" });
            return done;
          },
          { hold: 6 },
        ),
        "alice",
      );
      await cancel(client, reached.promise);
      await heard.promise;
      await stage.clock.advance(3_600_000);
      expect(await stage.outcome("alice")).toMatchObject({ held: 6, settlements: 0 });
      expect(await denialOf(client)).toMatchObject({ status: 402, retryable: true });
      working.give();
      expect(await stage.billed()).toEqual(["m"]);
    });

    it("settles as onAbort says", async () => {
      const reached = signal();
      const client = await connect(
        serverOf(
          stage.gate,
          async ({ credits }) => {
            credits.report({ model: "m" });
            reached.give();
            await new Promise((resolve) => credits.signal.addEventListener("abort", resolve));
            return done;
          },
          { onAbort: (reported) => ({ model: `function of ${reported.length}` }) },
        ),
        "alice",
      );
      await cancel(client, reached.promise);
      expect(await stage.billed()).toEqual(["function of 1"]);
    });

    it("while the gate decides is not served, and gives the hold back", async () => {
      const [reached, deciding] = [signal(), signal()];
      const handler = vi.fn(() => done);
      const customer = async ({ signal: cancelled }: { readonly signal: AbortSignal }) => {
        const gone = new Promise((resolve) => cancelled.addEventListener("abort", resolve));
        reached.give();
        await gone;
        deciding.give();
        return "alice";
      };
      const client = await connect(serverOf(stage.gate, handler, { customer }), "alice");
      await cancel(client, reached.promise);
      await deciding.promise;
      expect(await stage.billed()).toEqual([]);
      expect(await stage.outcome("alice")).toMatchObject({ held: 0 });
      expect(handler).not.toHaveBeenCalled();
    });

    it("by its connection, which is closed, ends as well", async () => {
      const reached = signal();
      const server = serverOf(stage.gate, async ({ credits }) => {
        credits.report({ model: "m" });
        reached.give();
        await new Promise((resolve) => credits.signal.addEventListener("abort", resolve));
        return done;
      });
      const client = await connect(server, "alice");
      const calling = client.callTool(work).catch(() => {});
      await reached.promise;
      await server.close();
      expect(await stage.billed()).toEqual(["m"]);
      await client.close();
      await calling;
    });
  });

  it("bills a model call to its tool's call that is given no credits, by the context of @creditgate/ai/node", async () => {
    const completion = { model: "gpt-5", usage: { prompt_tokens: 12, completion_tokens: 40 } };
    const ask = meteredFetch(currentCredits, { fetch: async () => Response.json(completion), logger: false });
    const answer = async () => {
      const body = JSON.stringify({ model: "gpt-5", messages: [] });
      const response = await ask("https://api.openai.com/v1/chat/completions", { method: "POST", body });
      return { content: [{ type: "text" as const, text: await response.text() }] };
    };
    const server = serverOf(stage.gate, ({ credits }) => runWithCredits(credits, answer));
    const client = await connect(server, "alice");
    await client.callTool(work);
    expect(await stage.billed()).toEqual(["gpt-5"]);
    const { billed } = await stage.outcome("alice");
    expect(billed).toMatchObject([{ provider: "openai", inputTokens: 12, outputTokens: 40 }]);
  });
});

describe("creditTool", () => {
  it("admits of many calls at once exactly as many as the wallet can pay for", async () => {
    const stage = createBilledStage(10);
    const waiting = signal();
    let served = 0;
    const server = serverOf(
      stage.gate,
      async () => {
        served++;
        await waiting.promise;
        return done;
      },
      { hold: 2, customer: "alice" },
    );
    const client = await inMemory(server);
    const calls = Array.from({ length: 12 }, () => client.callTool(work));
    await vi.waitUntil(() => served === 5 && stage.emitted("decision").length === 12, { timeout: 30_000 });
    waiting.give();
    const results = await Promise.all(calls);
    expect(results.filter(({ isError }) => isError === true)).toHaveLength(7);
    expect(served).toBe(5);
  });

  it("refuses at once options and handlers that cannot be right", () => {
    const { gate } = createBilledStage(10);
    // @ts-expect-error a hold is a number
    expect(() => creditTool(gate, { ...paid, hold: "5" }, async () => done)).toThrow("hold");
    // @ts-expect-error no handler
    expect(() => creditTool(gate, paid)).toThrow("handler: expected a function");
    // @ts-expect-error no option of that name
    expect(() => creditTool(gate, { ...paid, custumer: "alice" }, async () => done)).toThrow(
      'did you mean "customer"?',
    );
  });
});
