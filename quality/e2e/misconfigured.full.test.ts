import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const agents = [
  {
    agentId: "chat",
    agent_external_id: "chat",
    agent_name: "Chat",
    indicators: [{ name: "message", billing: "CREDITS", currency: "ai_credits", price: { perEvent: 1 } }],
  },
];
const wallets = [{ currency: "ai_credits", kind: "prepaid" as const, available: 100 }];

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({
    fixture: {
      organization: { name: "Acme", apiKey: "cg_test_local" },
      agents,
      customers: ["alice", "bob", "carol"].map((externalId) => ({ externalId, name: externalId, wallets })),
    },
  });
});
afterAll(() => plane.stop());

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  /** The lines of stderr. */
  readonly lines: readonly string[];
}

async function run(environment: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "misconfigured/app.mjs")], {
    env: {
      ...process.env,
      CREDITGATE_BASE_URL: plane.baseUrl,
      CREDITGATE_API_KEY: plane.apiKey,
      INDICATOR: "message",
      OPTION: "price",
      CUSTOMERS: "alice alice alice",
      HOLD: "5",
      ...environment,
    },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  return { code, stdout: stdout.trim(), lines: stderr.split("\n").filter((line) => line !== "") };
}

async function listen(answer: RequestListener): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

describe("a bare Express app", () => {
  it("says nothing where nothing is wrong", async () => {
    expect(await run()).toEqual({ code: 0, stdout: "[200,200,200]", lines: [] });
  });

  it("says in one line that its indicator is misspelt, and serves nothing for it", async () => {
    const { stdout, lines } = await run({ INDICATOR: "massage" });
    // The check and the first balance are asked for together: the first request may be judged before its answer.
    expect(stdout).toMatch(/^\[(200|503),503,503\]$/);
    const [line, ...others] = lines;
    expect(line).toBe(
      'creditgate: the gate and the service do not fit: indicator "massage" of agent "chat": the service does not know "massage"; did you mean "message"? correct indicator, or create it at the service: usage of one that is not known is never billed [setup]',
    );
    // The report of what was let in is refused as well.
    expect(others).toHaveLength(stdout.includes("200") ? 1 : 0);
  });

  it.each([
    [
      "a customer is unknown, as after a sign-up that failed",
      { CUSTOMERS: "dave erin dave" },
      "[402,402,402]",
      'customerId: the service does not know "dave"; create the customer at sign-up, with customers.createOrGet(), or correct its id',
    ],
    [
      "customer gives nothing, whoever asks",
      { CUSTOMERS: "nobody nobody nobody nobody" },
      "[401,401,401,401]",
      "customer: none of the 3 requests so far had one; return the id of the signed-in customer from the option customer",
    ],
    [
      "hold is above every wallet",
      { CUSTOMERS: "alice bob carol alice", HOLD: "500" },
      "[402,402,402,402]",
      "hold: no request has been let in, for the smallest needs 500 credits, and the largest wallet so far has 100; hold what one request may cost at most, or { min, max }",
    ],
  ])("says in one line that %s", async (_, environment, answers, words) => {
    const { stdout, lines } = await run(environment);
    expect(stdout).toBe(answers);
    expect(lines).toEqual([`creditgate: the gate and the service do not fit: ${words} [setup]`]);
  });

  it("says in one line that its key is wrong, and does not tell it", async () => {
    const { stdout, lines } = await run({ CREDITGATE_API_KEY: "cg_test_locol" });
    expect(stdout).toBe("[503,503,503]");
    expect(lines).toEqual([
      `creditgate: a balance cannot be read, and without a recent one requests are answered 503: expected a valid API key in the header service-api-key, received an unknown one (GET ${plane.baseUrl}/api/v1/wallet/balance answered 401) [balance]. Check CREDITGATE_API_KEY, or the option apiKey of createClient() [key]`,
    ]);
  });

  it("says in one line that its key is missing", async () => {
    const { stdout, lines } = await run({ CREDITGATE_API_KEY: "" });
    expect(stdout).toBe("[503,503,503]");
    expect(lines).toEqual([expect.stringContaining("received none; set CREDITGATE_API_KEY")]);
  });

  describe("says in one line that its base URL is wrong:", () => {
    it.each([
      ["a path that is not there", () => `${plane.baseUrl}/apj`, "check the baseUrl of createClient()"],
      ["a name that nobody has", () => "https://biling.invalid", "check the baseUrl https://biling.invalid,"],
    ])("%s", async (_, baseUrl, fix) => {
      const { stdout, lines } = await run({ CREDITGATE_BASE_URL: baseUrl() });
      expect(stdout).toBe("[503,503,503]");
      expect(lines).toEqual([expect.stringContaining(fix)]);
      expect(lines[0]).toContain(baseUrl());
    });

    it("a port where nothing listens", async () => {
      const closed = await listen(() => {});
      await closed.close();
      const { stdout, lines } = await run({ CREDITGATE_BASE_URL: closed.url });
      expect(stdout).toBe("[503,503,503]");
      expect(lines).toEqual([expect.stringContaining(`ECONNREFUSED; check the baseUrl ${closed.url},`)]);
    });

    it("a server that is another", async () => {
      const other = await listen((_, response) => response.writeHead(404).end("<h1>Not found</h1>"));
      const { stdout, lines } = await run({ CREDITGATE_BASE_URL: other.url });
      await other.close();
      expect(stdout).toBe("[503,503,503]");
      expect(lines).toEqual([
        expect.stringContaining(`something other than the service answered; check the baseUrl ${other.url}`),
      ]);
    });
  });

  it("takes no page of a website for a service that has billed: its usage waits, and it says where it went", async () => {
    // The balance is the service's, the way of the usage leads elsewhere.
    const other = await listen(async (request, response) => {
      if (request.method === "POST") {
        response.setHeader("content-type", "text/html; charset=utf-8").end("<!doctype html><h1>Welcome</h1>");
        return;
      }
      const answer = await fetch(`${plane.baseUrl}${request.url}`, {
        headers: { "service-api-key": plane.apiKey },
      });
      response.end(await answer.text());
    });
    const { stdout, lines } = await run({ CREDITGATE_BASE_URL: other.url, FLUSH_MS: "5000" });
    await other.close();
    expect(stdout).toBe("[200,200,200]");
    expect(lines[0]).toMatch(
      /^creditgate: usage cannot be delivered, and waits: POST .* answered 200 with a page of HTML: /,
    );
    expect(lines[0]).toContain(`check the baseUrl ${other.url}`);
    expect(lines).toHaveLength(1);
  });

  it("says which address answers a balance request with a page", async () => {
    const other = await listen((_, response) => {
      response.setHeader("content-type", "text/html").end("<html></html>");
    });
    const { stdout, lines } = await run({ CREDITGATE_BASE_URL: other.url });
    await other.close();
    expect(stdout).toBe("[503,503,503]");
    expect(lines).toEqual([
      expect.stringContaining(`something other than the service answered; check the baseUrl ${other.url}`),
    ]);
  });

  it("ends at once where an option is misspelt, with a line that names the one that is meant", async () => {
    const { code, stdout, lines } = await run({ OPTION: "prise" });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    // The others are Node's: where it was thrown, and its fields.
    expect(lines.filter((line) => line.includes("prise"))).toEqual([
      'CreditgateError: prise: unknown option; did you mean "price"?',
    ]);
  });
});
