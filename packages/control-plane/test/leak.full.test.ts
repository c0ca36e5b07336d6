import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type ScenarioName, scenarioNames } from "../src/cli/leak/causes.ts";
import { runLeak } from "../src/cli/leak/command.ts";
import { creditgateRoutes, readRoutes } from "../src/cli/leak/routes.ts";
import { startControlPlane } from "../src/testing/index.ts";
import { acme } from "./fixture.ts";
import { type Broken, broken } from "./leak/broken.ts";
import { leaking, tried } from "./leak/trial.ts";

const folder = join(import.meta.dirname, "leak");
/** All scenarios for each broken middleware, instead of its own: `npm run test:leak`. */
const isLong = process.env.CREDITGATE_LEAK === "all";

/** Elsewhere what waits for an outage or a restart is tried with the middlewares that it is for. */
const slow = ["slow", "hangs", "hangs-empty", "lost", "killed", "stopped"];
const usual = scenarioNames.filter((name) => isLong || !slow.includes(name));

describe("creditgate leak", { timeout: 600_000 }, () => {
  it.concurrent("finds no leak in a middleware by hand that has none, over HTTP/1 and HTTP/2", async ({
    expect,
  }) => {
    const { rows, unseen } = await tried({ isSecure: true, names: usual, outageMs: isLong ? 10_000 : 2_500 });
    expect(leaking({ rows })).toEqual([]);
    expect(rows.map(({ name }) => name)).toEqual(usual);
    expect(unseen).toEqual([]);
  });

  it.concurrent.each(broken)("finds that $cause", async ({ patch, leaks, may = [] }) => {
    const names = isLong ? scenarioNames : (["plain", ...leaks] as ScenarioName[]);
    const isSecure = isLong || leaks.some((name) => name.startsWith("http2"));
    const outageMs = isLong ? 10_000 : leaks.includes("slow") ? 6_000 : 2_500;
    const verdict = await tried({ patch, names, isSecure, waitMs: isLong ? 10_000 : 2_000, outageMs });
    const found = leaking(verdict).filter((name) => !may.includes(name));
    expect(found.sort(), JSON.stringify(verdict)).toEqual([...leaks].sort());
  });

  it.concurrent("sees the work of one that reads a balance once for all, and waits less than for half a second", async ({
    expect,
  }) => {
    const read = `await billing(\`/api/v1/wallet/balance?customer_id=\${customer}\`)`;
    const patch = [
      [read, "await (reading ??= readBalance(customer).finally(() => (reading = undefined)))"],
      [
        "/** Holds a credit",
        `let reading;\nasync function readBalance(customer) {\n  return ${read};\n}\n\n/** Holds a credit`,
      ],
    ] as const;
    const { rows, unseen } = await tried({ patch, names: ["plain", "parallel"], timeoutMs: 400 });
    expect(leaking({ rows })).toEqual([]);
    expect(rows.map(({ worked }) => worked)).toEqual([1, 10]);
    expect(unseen).toEqual([]);
  });

  it.concurrent("sends again what was refused with 5xx in a burst of which some worked", async ({
    expect,
  }) => {
    const begin = "async function requireCredits";
    const admit = "message = await admit(customer);";
    const patch = [
      [begin, `let requests = 0;\n${begin}`],
      [admit, `if (++requests > 1 && requests < 38) throw new Error("busy");\n    ${admit}`],
    ] as const;
    const { rows } = await tried({ patch, names: ["plain", "parallel"] });
    // 4 at first; what they cost may be subtracted twice for a while, by the balance and by the fixture.
    expect(rows.at(-1)?.worked).toBeGreaterThanOrEqual(6);
  });

  it.concurrent("finds no leak in one that reserves and finalizes, on a service that a file describes", async ({
    expect,
  }) => {
    const routes = readRoutes(join(folder, "reserve.json"), "");
    const headers = { "x-user": "{customer}" };
    const verdict = await tried({
      fixture: "reserve.mjs",
      routes,
      headers,
      names: usual,
      outageMs: isLong ? 10_000 : 2_500,
    });
    expect(leaking(verdict)).toEqual([]);
    expect(verdict.unseen).toEqual(["HTTP/2: the server does not speak it"]);
  });
});

describe("creditgate leak before a real control plane", { timeout: 240_000 }, () => {
  const names: ScenarioName[] = ["plain", "parallel", "late", "leave-byte", "fails", "lost"];

  async function triedOnReal(patch: Broken["patch"]) {
    const price = { perEvent: 1 };
    const indicators = [{ name: "message", billing: "CREDITS", currency: "ai_credits", price } as const];
    const wallets = [{ currency: "ai_credits", kind: "prepaid", available: 10 } as const];
    const agent = { agentId: "chat", agent_external_id: "chat-1", agent_name: "Chat", indicators };
    const customers = [{ externalId: "leak", name: "Leak", wallets }];
    const { baseUrl, stop } = await startControlPlane({ fixture: { ...acme, agents: [agent], customers } });
    const routes = creditgateRoutes("ai_credits", baseUrl);
    return tried({ patch, routes, names, headers: { "x-customer": "leak" }, waitMs: 5_000 }).finally(stop);
  }

  it("finds the wallet that it has, and tops it up", async () => {
    const { rows, unseen } = await triedOnReal([]);
    expect(leaking({ rows })).toEqual([]);
    expect(rows.map(({ what }) => what)).toEqual([
      "one request",
      "wallet of 9 credits, 40 requests at once",
      "client leaves after the first byte",
      "billing fails for 2.5 s",
      "billing stores, its answer is lost",
    ]);
    // Of these, the wallet of 9 credits cannot pay one.
    expect(rows.slice(2).map(({ worked }) => worked)).toEqual([5, 6, 5]);
    expect(unseen).toContain(
      "empty wallets, usage that is debited late, and many requests over HTTP/2: another process keeps the wallets",
    );
  });

  it("finds what is spent beyond the wallet", async () => {
    const verdict = await triedOnReal(broken[0]?.patch ?? []);
    expect(leaking(verdict), JSON.stringify(verdict)).toEqual(["parallel"]);
  });
});

describe("the command", () => {
  const url = "http://127.0.0.1:9/chat";

  it.each([
    [[], "leak: expected one URL, as http://127.0.0.1:3000/chat, received none"],
    [["chat"], "leak: expected one URL, as http://127.0.0.1:3000/chat, received chat"],
    [
      ["https://api.example.com"],
      "leak: expected a host of this machine, or --this-host-is-mine, received api.example.com",
    ],
    [
      [url, "--billing", "https://billing.example.com"],
      "leak: expected a host of this machine, or --this-host-is-mine, received billing.example.com",
    ],
    [
      [url, "--billing", "missing.json"],
      expect.stringMatching(
        /^--billing: expected creditgate, a URL, or a file with JSON, received missing.json \(/,
      ),
    ],
    [[url, "--header", "x"], "--header: expected 'name: value', received x"],
    [[url, "--price", "x"], "--price: expected a field and its credits, as outputTokens=0.01, received x"],
    [[url, "--requests", "1001"], "--requests: expected a whole number from 0 to 1000, received 1001"],
    [
      [url, "--skip", "late,x"],
      expect.stringMatching(/^--only, --skip: expected some of plain, .*, received x$/),
    ],
    [
      [url, "--start", "exit 3"],
      "--start: expected a command that starts the application, received the command ended:\n",
    ],
    [[url, "--serve"], expect.stringMatching(/^leak: expected one of --start, .*, received --serve/)],
  ])("names option, expected and received: %j", async (args, message) => {
    await expect(runLeak(args)).rejects.toMatchObject({ code: "config_invalid", message });
  });

  it("names what is wrong with a description of a service", async () => {
    await expect(runLeak([url, "--billing", join(folder, "../../package.json")])).rejects.toThrow(
      "--billing: expected routes as in docs/gate/leak.md, received balance: ",
    );
  });

  /** Runs it against an application in this process, which is asked without a billing service. */
  async function printed(serve: RequestListener, ...args: string[]) {
    const server = createServer(serve).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    let output = "";
    const write = (text: unknown) => {
      output += text;
      return true;
    };
    vi.spyOn(process.stdout, "write").mockImplementation(write);
    vi.spyOn(process.stderr, "write").mockImplementation(write);
    onTestFinished(() => void vi.restoreAllMocks());
    const { port } = server.address() as AddressInfo;
    const only = args.includes("--only") ? [] : ["--only", "parallel,methods"];
    const code = await runLeak([`http://127.0.0.1:${port}/chat`, ...only, ...args]);
    return { code, output };
  }

  it("sees overspending by answers alone, and prints what it cannot see", async () => {
    const { code, output } = await printed(
      (_, response) => response.end("hello"),
      "--wallet",
      "10",
      "--requests",
      "30",
    );
    expect(output).toContain("not seen: what is paid, and what happens while billing fails: no --billing\n");
    expect(output).toContain("not seen: kills and restarts: no --start\n");
    expect(output).toContain("not seen: work without an answer: no model is asked at ");
    expect(output).toMatch(
      /^wallet of 10 credits, 30 requests at once +30 worked +20 not paid {2}read and debit are not atomic\n {4}mend: app\.use\(/m,
    );
    expect(output).toMatch(/\n1 of 3 leak: 20 pieces of work are not paid\n$/);
    expect(code).toBe(1);
  });

  it("ends with 0 if nothing leaked, and prints JSON", async () => {
    let left = 10;
    const { code, output } = await printed(
      (_, response) => response.writeHead(left-- > 0 ? 200 : 402, { "content-type": "text/plain" }).end(),
      ...["--wallet", "10", "--requests", "30", "--json", "--only", "parallel"],
    );
    const { rows } = JSON.parse(output.slice(output.indexOf("{")));
    expect(rows).toMatchObject([
      { name: "plain", worked: 1 },
      { name: "parallel", worked: 9, unpaid: 0 },
    ]);
    expect(code).toBe(0);
  });

  it("says what a first request was refused with", async () => {
    const refused = printed((_, response) => response.writeHead(401).end("who are you?"));
    await expect(refused).rejects.toThrow(
      /: expected 200 to POST http:.*, received 401 who are you\?; send what a customer/,
    );
  });
});
