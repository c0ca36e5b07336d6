import { createServer } from "node:http";
import { checkService, createClient, type Expectations, type Finding } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { acme } from "./fixture.ts";
import { creditgate } from "./serve-process.ts";

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ fixture: acme });
});
afterAll(() => plane.stop());

const right: Expectations = {
  agentId: "chat",
  indicator: "message",
  customerId: "alice",
  currency: "ai_credits",
  wallet: "prepaid",
  price: ({ inputTokens = 0, outputTokens = 0 }) => 1 + 0.0005 * inputTokens + 0.0015 * outputTokens,
};

function check(expected: Expectations = {}, apiKey = plane.apiKey, baseUrl = plane.baseUrl) {
  return checkService(createClient({ baseUrl, apiKey, retries: 0 }), expected);
}

function failures(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ ok }) => ok !== true);
}

describe("checkService", () => {
  it("finds nothing wrong where nothing is", async () => {
    const findings = await check(right);
    expect(findings.map(({ name, ok }) => [name, ok])).toEqual(
      ["service", "key", "clock", "agent", "indicator", "currency", "price", "customer", "wallet"].map(
        (name) => [name, true],
      ),
    );
  });

  it("needs no names for the address, the key and the clock", async () => {
    const findings = await check();
    expect(findings.map(({ name }) => name)).toEqual(["service", "key", "clock"]);
    expect(failures(findings)).toEqual([]);
  });

  it.each<[string, Expectations, Partial<Finding>]>([
    ["agent", { agentId: "chatt" }, { message: 'the service does not know "chatt"; did you mean "chat"?' }],
    [
      "indicator",
      { indicator: "massage" },
      { message: 'the service does not know "massage"; did you mean "message"?' },
    ],
    [
      "currency",
      { indicator: "speech" },
      { message: 'the indicator debits "voice_credits", not "ai_credits"' },
    ],
    ["currency", { indicator: "seat" }, { message: 'the indicator bills in "FLAT"' }],
    ["customer", { customerId: "alise" }, { message: 'the service does not know "alise"' }],
    ["wallet", { customerId: "bob" }, { message: 'expected a wallet in "ai_credits", found none' }],
    [
      "wallet",
      { wallet: "postpaid" },
      { fix: 'set wallet: "prepaid" in createGate(), or open a postpaid one at the service' },
    ],
    [
      "price",
      { price: ({ outputTokens = 0 }) => 1 + 0.0015 * outputTokens },
      {
        message: "price() says 1 for 1000 input and 0 output tokens, and the service debits 1.5",
        fix: "price: ({ inputTokens = 0, outputTokens = 0 }) => 1 + 0.0005 * inputTokens + 0.0015 * outputTokens",
      },
    ],
    ["clock", { now: () => Date.now() + 60_000 }, { fix: "let both machines take their time from NTP" }],
  ])("says that the %s is wrong: %j", async (name, expected, finding) => {
    const found = failures(await check({ ...right, ...expected }));
    expect(found).toMatchObject([{ name, ok: false, ...finding }]);
    expect(found[0]?.fix).toBeTruthy();
  });

  describe("of an indicator with rates of parts", () => {
    const parts = { ...right, indicator: "parts" };
    const source =
      "({ inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, reasoningTokens = 0, images = 0, seconds = 0, characters = 0, requests = 0 }) => " +
      "0.01 * (inputTokens - cachedInputTokens) + 0.02 * (outputTokens - reasoningTokens) + " +
      "0.001 * cachedInputTokens + 0.005 * reasoningTokens + 2 * images + 0.01 * seconds + 0.015 * characters + 0.5 * requests";

    it("gives a price to paste that covers them, and finds it well", async () => {
      expect(await check({ ...parts, price: null })).toContainEqual(
        expect.objectContaining({ name: "price", fix: `price: ${source}` }),
      );
      const price: Expectations["price"] = new Function(`return ${source}`)();
      expect(await check({ ...parts, price })).toContainEqual(
        expect.objectContaining({ name: "price", ok: true }),
      );
    });

    it("finds a price that leaves one out", async () => {
      const price = ({ inputTokens = 0, cachedInputTokens = 0, outputTokens = 0 }) =>
        0.01 * (inputTokens - cachedInputTokens) + 0.02 * outputTokens;
      expect(await check({ ...parts, price })).toContainEqual(
        expect.objectContaining({
          ok: false,
          message:
            "price() says 0 for 1000 input and 0 output tokens with 1000 cachedInputTokens, and the service debits 1",
        }),
      );
    });
  });

  describe("of an indicator with rates of its models", () => {
    const plain = { event: 1, input: 0.5, output: 1.5 };
    const rates = ({ event, input, output }: Partial<typeof plain>) => ({
      ...(event !== undefined && { perEvent: event }),
      ...(input !== undefined && { perThousandInputTokens: `${input}` }),
      ...(output !== undefined && { perThousandOutputTokens: output }),
    });
    const withModels = (modelPrices: readonly object[], price: Expectations["price"]) => {
      const indicators = [
        { name: "message", billing: "CREDITS", currency: "ai_credits", price: rates(plain), modelPrices },
      ];
      const send = async ({ name }: { readonly name: string }) => ({
        status: 200,
        body: name === "agentList" ? { agents: [{ agentId: "chat", indicators }] } : { balances: {} },
        idempotencyKey: undefined,
      });
      return checkService({ send }, { agentId: "chat", indicator: "message", currency: "ai_credits", price });
    };
    const priceOf = async (modelPrices: readonly object[]) => {
      const { fix = "" } = (await withModels(modelPrices, null)).find(({ name }) => name === "price") ?? {};
      // What the doctor prints is for pasting: here it is pasted.
      const source = fix.replace(/^price: /, "");
      const price: Expectations["price"] = new Function(`return ${source}`)();
      return { source, price };
    };
    const models = [
      { provider: "openai", model: "gpt-5", price: rates({ output: 30 }) },
      { provider: "openai", model: "gpt-5", plan: "batch", price: rates({ event: 0, output: 15 }) },
      { provider: 'x"y', model: "free", price: rates({ event: 0, input: 0, output: 0 }) },
    ];

    it("gives a price to paste that covers them all, the plan's before the model's", async () => {
      const { source, price } = await priceOf(models);
      expect(source).toBe(
        "({ provider, model, plan, inputTokens = 0, outputTokens = 0 }) => { " +
          'if (provider === "openai" && model === "gpt-5" && plan === "batch") return 0.0005 * inputTokens + 0.015 * outputTokens; ' +
          'if (provider === "openai" && model === "gpt-5") return 1 + 0.0005 * inputTokens + 0.03 * outputTokens; ' +
          'if (provider === "x\\"y" && model === "free") return 0; ' +
          "return 1 + 0.0005 * inputTokens + 0.0015 * outputTokens; }",
      );
      expect((await withModels(models, price)).find(({ name }) => name === "price")).toMatchObject({
        ok: true,
      });
    });

    it("takes those beyond twenty for the dearest of them", async () => {
      const many = Array.from({ length: 40 }, (_, at) => ({
        provider: "openai",
        model: `m${at}`,
        price: rates({ output: at }),
      }));
      const { source, price } = await priceOf(many);
      expect(source.match(/if \(/g)).toHaveLength(20);
      expect(price?.({ provider: "openai", model: "m21", outputTokens: 1_000 })).toBeCloseTo(40);
      expect((await withModels(many, price)).find(({ name }) => name === "price")).toMatchObject({
        ok: true,
      });
    });
  });

  it("says of a postpaid wallet without a limit that it has none", async () => {
    const balance = { available: 0, pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 1 };
    const found = async (postpaid_limit: number) => {
      const send = async () => ({
        status: 200,
        body: { balances: { ai_credits: { ...balance, postpaid_limit, kind: "postpaid" } } },
        idempotencyKey: undefined,
      });
      const findings = await checkService(
        { send },
        { customerId: "a", currency: "ai_credits", wallet: "postpaid" },
      );
      return findings.find(({ name }) => name === "wallet");
    };
    expect(await found(0)).toEqual({
      name: "wallet",
      ok: true,
      message:
        'the one in "ai_credits" is postpaid, and has no limit: nothing that its customer asks for is denied',
    });
    expect((await found(5))?.message).toBe('the one in "ai_credits" is postpaid');
  });

  it.each([
    ["tells what reports cost", "alice", true, "the service returns what each report costs"],
    ["does not show that it tells", "alise", undefined, expect.stringContaining("counts for its whole hold")],
  ])(
    "gives the price to paste where the gate has none, and the service %s",
    async (_, customerId, ok, message) => {
      expect(await check({ ...right, customerId, price: null })).toContainEqual({
        name: "price",
        ok,
        message,
        fix: "price: ({ inputTokens = 0, outputTokens = 0 }) => 1 + 0.0005 * inputTokens + 0.0015 * outputTokens",
      });
    },
  );

  it("says that a wallet of all zeros does not tell its kind", async () => {
    const expected: Expectations = { customerId: "alice", currency: "voice_credits", wallet: "prepaid" };
    expect(failures(await check(expected))).toMatchObject([
      { name: "wallet", ok: false, message: expect.stringContaining("is postpaid") },
    ]);
  });

  it("says that the key is wrong, and asks no further", async () => {
    expect(await check(right, "cg_test_locol")).toMatchObject([
      { name: "service", ok: true },
      { name: "key", ok: false, message: expect.stringContaining("received an unknown one") },
    ]);
  });

  it.each([
    ["a path that is not there", () => `${plane.baseUrl}/v9`],
    ["a name that nobody has", () => "https://biling.invalid"],
  ])("says that the base URL is %s", async (_, baseUrl) => {
    expect(await check(right, plane.apiKey, baseUrl())).toMatchObject([
      { name: "service", ok: false, fix: "check the baseUrl (CREDITGATE_BASE_URL)" },
    ]);
  });

  it("says that a website answers in the place of the service", async () => {
    const site = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<html>Welcome</html>");
    });
    await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
    const address = site.address();
    const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const findings = await check(right, plane.apiKey, baseUrl);
    site.close();
    expect(findings).toMatchObject([
      { name: "service", ok: false, message: expect.stringContaining(baseUrl) },
    ]);
  });

  it.each([{ message: "no Route matched with those values" }, { statusCode: 404 }, {}])(
    "says that a gateway answers 404 in the place of the service: %j",
    async (body) => {
      const gateway = createServer((_, response) => {
        response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
      await new Promise<void>((listening) => gateway.listen(0, "127.0.0.1", listening));
      const address = gateway.address();
      const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
      expect(await check(right, plane.apiKey, baseUrl)).toMatchObject([
        { name: "service", ok: false, fix: "check the baseUrl (CREDITGATE_BASE_URL)" },
      ]);
      gateway.close();
    },
  );

  it("believes a 404 without a code of a service that lists its agents", async () => {
    const other = createServer(({ url }, response) => {
      const isList = url?.startsWith("/api/v1/agents") === true;
      response.writeHead(isList ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(isList ? { agents: [] } : { message: "Customer not found" }));
    });
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    const address = other.address();
    const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    expect((await check({}, "any", baseUrl)).map(({ name, ok }) => [name, ok])).toEqual([
      ["service", true],
      ["key", true],
      ["clock", true],
    ]);
    other.close();
  });

  it("says that the client has no key", async () => {
    expect(await checkService(createClient({ baseUrl: plane.baseUrl }))).toMatchObject([
      { name: "service", ok: false, message: expect.stringContaining("set CREDITGATE_API_KEY") },
    ]);
  });

  it("does not judge a service that tells less", async () => {
    const balances = {
      ai_credits: {
        available: 0,
        pending: 0,
        overage_used: 0,
        overage_limit: 0,
        postpaid_used: 0,
        postpaid_limit: 0,
      },
    };
    for (const agents of [{ data: [] }, { agents: [{ id: 1 }] }, { agents: [{ agentId: "chat" }] }]) {
      const other = createServer(({ url }, response) => {
        response.sendDate = false;
        response.end(JSON.stringify(url?.startsWith("/api/v1/agents") ? agents : { balances }));
      });
      await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
      const address = other.address();
      const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
      const findings = await check(right, "any", baseUrl);
      expect(findings.filter(({ ok }) => ok === false)).toEqual([]);
      expect(failures(findings).map(({ name }) => name)).toContain("wallet");
      other.close();
    }
  });
});

describe("creditgate doctor", () => {
  const doctor = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    creditgate(["doctor", ...args], {
      CREDITGATE_BASE_URL: plane.baseUrl,
      CREDITGATE_API_KEY: plane.apiKey,
      ...environment,
    }).exit;
  const named = ["--agent=chat", "--indicator=message", "--customer=alice", "--currency=ai_credits"];

  it("prints a line for each thing, and ends with 0 where nothing is wrong", async () => {
    const { code, stdout, stderr } = await doctor([...named, "--wallet=prepaid"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")[0]).toBe("ok   service   it answers as the API says");
    expect(stdout).toContain('\nok   wallet    the one in "ai_credits" is prepaid\n');
    expect(stdout).toContain(
      "\nok   price     the service returns what each report costs\n               or: price: ({ inputTokens = 0, outputTokens = 0 }) => 1 + ",
    );
  });

  it("ends with 1 where something is wrong, says what to do, and does not tell the key", async () => {
    const { code, stdout } = await doctor(named, { CREDITGATE_API_KEY: "cg_test_locol" });
    expect(code).toBe(1);
    expect(stdout).toMatch(/\nFAIL key {7}expected a valid API key .*\n {15}fix: check CREDITGATE_API_KEY/);
    expect(stdout).not.toContain("locol");
  });

  it("ends with 1 where it could not talk to the service, so that nothing was tried", async () => {
    const deaf = createServer((request) => request.socket.destroy());
    await new Promise<void>((listening) => deaf.listen(0, "127.0.0.1", listening));
    const address = deaf.address();
    const { code, stdout } = await doctor([
      `--base-url=http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    ]);
    deaf.close();
    expect(stdout).toMatch(/^\? +service /);
    expect(code).toBe(1);
  });

  it("prints its findings as JSON", async () => {
    const { stdout } = await doctor(["--json", "--agent=chatt"]);
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: "agent", ok: false }));
  });

  it.each([
    [["--agnt=chat"], "expected one of --base-url, --agent, "],
    [["--wallet=free"], "--wallet: expected prepaid or postpaid, received free"],
    [["--indicator=message"], "--agent: expected the agent of --indicator, received none"],
    [["--base-url=billing.example"], "baseUrl: expected an https URL"],
  ])("ends with 2 for wrong input: %j", async (args, message) => {
    const { code, stderr } = await doctor(args);
    expect(code).toBe(2);
    expect(stderr).toContain(`creditgate: doctor: ${message}`);
  });
});
