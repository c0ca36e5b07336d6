import { writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selfSigned } from "../../client/test/self-signed.ts";
import { readConfig } from "../src/cli/config.ts";
import { createMigratedDatabase, usePostgres } from "../src/testing/index.ts";
import { acme } from "./fixture.ts";
import { creditgate, openWorkplace, type Workplace } from "./serve-process.ts";

let workplace: Workplace;
beforeAll(async () => {
  workplace = await openWorkplace();
});
afterAll(() => workplace.remove());

describe("readConfig", () => {
  it.each([
    [
      [],
      "command: expected one of serve, worker, close-period, verify, migrate, users, doctor, leak, explain, outbox, postgres, redis, organizations, operators, limits, api-keys, agents, indicators, prices, currencies, customers, wallets, grants, allowances, budgets, budget-defaults, orders, invoices, credit-notes, issuers, ledger, books, usage, voice-sessions, webhooks, audit, received none",
    ],
    [
      ["cook"],
      "command: expected one of serve, worker, close-period, verify, migrate, users, doctor, leak, explain, outbox, postgres, redis, organizations, operators, limits, api-keys, agents, indicators, prices, currencies, customers, wallets, grants, allowances, budgets, budget-defaults, orders, invoices, credit-notes, issuers, ledger, books, usage, voice-sessions, webhooks, audit, received cook",
    ],
    [
      ["dcotor", "--agent", "chat"],
      "command: expected one of serve, worker, close-period, verify, migrate, users, doctor, leak, explain, outbox, postgres, redis, organizations, operators, limits, api-keys, agents, indicators, prices, currencies, customers, wallets, grants, allowances, budgets, budget-defaults, orders, invoices, credit-notes, issuers, ledger, books, usage, voice-sessions, webhooks, audit, received dcotor; did you mean doctor?",
    ],
    [["serve", "--fixure", "x"], expect.stringMatching(/, received --fixure; did you mean --fixture\?$/)],
    [["serve", "now"], "serve: expected options only, received now too"],
    [
      ["serve", "--prot", "1"],
      "serve: expected one of --port, --host, --data, --fixture, --settlement-delay, --no-settlement, --metrics-port, --rate-limit, --organization-rate-limit, --organization-report-limit, --max-clients, --trusted-proxies, --drain-delay, --stop-timeout, --log-format, --access-log, --billing-period, --billing-anchor, --time-zone, --webhook-networks, --webhook-http, --webhook-timeout, --public-url, --no-sign-in, --oidc-issuer, --oidc-client, --oidc-name, --oidc-join, received --prot; did you mean --port?",
    ],
    [
      ["migrate"],
      "DATABASE_URL: expected the PostgreSQL of the servers, as the owner of its tables, received none",
    ],
    [["serve", "--app-role", "x"], expect.stringMatching(/^serve: expected one of .*, received --app-role$/)],
    [["serve", "--port"], "serve: --port: expected a value, received none"],
    [["serve", "--port", "65536"], "--port: expected a whole number from 0 to 65535, received 65536"],
    [["serve", "--port", "-1"], "--port: expected a whole number from 0 to 65535, received -1"],
    [["serve", "--host", "--port", "1"], "--host: expected a value, received --port, an option"],
    [["serve", "--port", "http"], "--port: expected a whole number from 0 to 65535, received http"],
    [["serve", "--port", "1", "--port", "2"], "--port: expected once, received it twice"],
    [
      ["serve", "--settlement-delay=-1"],
      "--settlement-delay: expected a whole number from 0 to 86400000, received -1",
    ],
    [
      ["serve", "--fixture", "missing.json"],
      "--fixture: expected a file that can be read, received missing.json (ENOENT)",
    ],
    [["serve", "--data", ""], "--data: expected a value, received an empty one"],
    [
      ["worker", "--port", "1"],
      expect.stringMatching(/^worker: expected one of .*, received --port; did you/),
    ],
    [
      ["worker"],
      "DATABASE_URL: expected the PostgreSQL of the servers, since this is a worker, received none",
    ],
    [
      ["serve", "--no-settlement"],
      "DATABASE_URL: expected the PostgreSQL of the workers, since --no-settlement leaves settling to them, received none",
    ],
    [["serve", "--early"], expect.stringMatching(/^serve: expected one of .*, received --early$/)],
    [["verify", "--port", "1"], expect.stringMatching(/^verify: expected one of .*, received --port$/)],
    [
      ["serve", "--billing-period", "yearly"],
      "--billing-period: expected daily, weekly, monthly, received yearly",
    ],
    [
      ["serve", "--billing-period=weekly", "--billing-anchor=8"],
      "--billing-anchor: expected a whole number from 0 to 7, received 8",
    ],
    [["serve", "--billing-anchor=0"], "--billing-anchor: expected a day from 1, received 0"],
    [
      ["close-period", "--time-zone", "Mars/Olympus"],
      "--time-zone: expected a name such as Europe/Amsterdam, received Mars/Olympus",
    ],
    [["serve", "--metrics-port", "x"], "--metrics-port: expected a whole number from 0 to 65535, received x"],
    [["serve", "--max-clients=0"], "--max-clients: expected a whole number from 1 to 1000000, received 0"],
    [
      ["worker", "--drain-delay=1"],
      expect.stringMatching(/^worker: expected one of .*, received --drain-delay=1$/),
    ],
    [
      ["worker", "--webhook-networks", "10.0.0.0/8,example.com"],
      "--webhook-networks: expected networks with commas between them, as 10.0.0.0/8,fd00::/8, received example.com",
    ],
    [["serve", "--webhook-timeout=99"], "--webhook-timeout: expected 100 to 60000, received 99"],
    [
      ["verify", "--webhook-http"],
      expect.stringMatching(/^verify: expected one of .*, received --webhook-http$/),
    ],
    [
      ["serve", "--public-url", "http://billing.example.com"],
      "--public-url: expected https and a host, or http on this machine, as https://billing.example.com, received http://billing.example.com",
    ],
    [
      ["serve", "--oidc-client", "x"],
      "--oidc-issuer: expected the issuer that --oidc-client belongs to, received none",
    ],
    [
      ["serve", "--oidc-issuer=https://id.example.com", "--oidc-client=x"],
      "--public-url: expected the URL to which the identity provider sends browsers back, received none",
    ],
    [
      [
        "serve",
        "--oidc-issuer=https://id.example.com",
        "--oidc-client=x",
        "--oidc-join=example.com=Acme:all",
      ],
      "--oidc-join: expected rules as example.com=Acme:read+money, with commas between them, of read, money, keys, owner, received example.com=Acme:all",
    ],
    [["serve", "--early=yes"], expect.stringMatching(/^serve: expected one of .*, received --early=yes$/)],
  ])("names option, expected and received: %j", (args, message) => {
    expect(() => readConfig(args, {})).toThrow(expect.objectContaining({ code: "config_invalid", message }));
  });

  it("takes what is given, and defaults for the rest", () => {
    expect(readConfig(["serve"], {})).toEqual({
      command: "serve",
      port: 4000,
      host: "127.0.0.1",
      data: ".creditgate",
      settlementDelayMs: 1000,
      settlement: true,
      metricsPort: undefined,
      rateLimitPerSecond: 1_000,
      rates: { requestsPerSecond: 2_000, reportsPerSecond: 5_000 },
      maxClients: 2_000,
      trustedProxies: 0,
      drainDelayMs: undefined,
      stopTimeoutMs: 10_000,
      logFormat: "text",
      accessLog: false,
      periodSettings: { period: "monthly", anchor: 1, timeZone: "UTC" },
      webhooks: { networks: [], allowHttp: false, timeoutMs: 15_000 },
      adminTokens: [],
      people: { publicUrl: undefined, oidc: undefined },
      fixture: undefined,
      databaseUrl: undefined,
    });
    expect(readConfig(["serve", "--no-sign-in"], {})).toMatchObject({ people: undefined });
    const provider = [
      "--public-url=https://b.example",
      "--oidc-issuer=https://id.example",
      "--oidc-client=x",
    ];
    const rules = ["--oidc-name=Id", "--oidc-join=Example.com=Acme: x:money+read,b.example=B:owner"];
    expect(
      readConfig(["serve", ...provider, ...rules], { CREDITGATE_OIDC_CLIENT_SECRET: "s" }),
    ).toMatchObject({
      people: {
        publicUrl: "https://b.example",
        oidc: {
          issuer: "https://id.example",
          clientId: "x",
          clientSecret: "s",
          name: "Id",
          join: [
            { domain: "example.com", organization: "Acme: x", roles: ["read", "money"] },
            { domain: "b.example", organization: "B", roles: ["owner"] },
          ],
        },
      },
    });
    expect(readConfig(["verify"], {})).toEqual({
      command: "verify",
      data: ".creditgate",
      databaseUrl: undefined,
    });
    const closing = ["close-period", "--early", "--organization=Acme", "--billing-period=weekly"];
    expect(readConfig([...closing, "--billing-anchor=3", "--time-zone=Asia/Tokyo"], {})).toEqual({
      command: "close-period",
      data: ".creditgate",
      periodSettings: { period: "weekly", anchor: 3, timeZone: "Asia/Tokyo" },
      organization: "Acme",
      early: true,
      databaseUrl: undefined,
    });
    const args = ["serve", "--port=0", "--host", "::1", "--data", "d", "--settlement-delay", "5"];
    args.push("--no-settlement", "--metrics-port=9464", "--rate-limit=0", "--max-clients=10");
    args.push("--organization-rate-limit=7", "--organization-report-limit=0");
    args.push("--trusted-proxies=1", "--drain-delay=5000", "--stop-timeout=20000");
    args.push("--webhook-networks=10.0.0.0/8,fd00::/8", "--webhook-http", "--webhook-timeout=5000");
    args.push("--log-format=json", "--access-log");
    const environment = {
      DATABASE_URL: "postgres://h/d",
      CREDITGATE_ADMIN_TOKEN: `alice:${"a".repeat(20)},${"b".repeat(20)}`,
    };
    expect(readConfig([...args, "--fixture", workplace.fixture], environment)).toEqual({
      command: "serve",
      port: 0,
      host: "::1",
      data: "d",
      settlementDelayMs: 5,
      settlement: false,
      metricsPort: 9464,
      rateLimitPerSecond: 0,
      rates: { requestsPerSecond: 7, reportsPerSecond: 0 },
      maxClients: 10,
      trustedProxies: 1,
      drainDelayMs: 5_000,
      stopTimeoutMs: 20_000,
      logFormat: "json",
      accessLog: true,
      periodSettings: { period: "monthly", anchor: 1, timeZone: "UTC" },
      people: { publicUrl: undefined, oidc: undefined },
      webhooks: { networks: ["10.0.0.0/8", "fd00::/8"], allowHttp: true, timeoutMs: 5_000 },
      adminTokens: [
        { name: "alice", token: "a".repeat(20) },
        { name: "admin", token: "b".repeat(20) },
      ],
      fixture: acme,
      databaseUrl: "postgres://h/d",
    });
  });

  it("refuses a fixture that is wrong, and one that is no JSON", async () => {
    const wrong = `${workplace.fixture}.wrong`;
    await writeFile(wrong, '{"organization":{"name":1}}');
    expect(() => readConfig(["serve", "--fixture", wrong], {})).toThrow(
      `--fixture ${wrong}: organization.name: expected string, received number`,
    );
    await writeFile(wrong, "{");
    expect(() => readConfig(["serve", "--fixture", wrong], {})).toThrow("--fixture: expected JSON in ");
  });

  it("refuses an admin token that is easily guessed, and does not repeat it", () => {
    expect(() => readConfig(["serve"], { CREDITGATE_ADMIN_TOKEN: "alice:s3cret" })).toThrow(
      /^CREDITGATE_ADMIN_TOKEN: expected tokens of 20 to 256 (?!.*s3cret)/,
    );
  });

  it.each(["soon", "5s", "-1", "1.5", ""])("refuses a timeout in DATABASE_URL that is %j", (value) => {
    for (const name of ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]) {
      expect(() => readConfig(["serve"], { DATABASE_URL: `postgres://h/d?${name}=${value}` })).toThrow(
        `DATABASE_URL: ${name}: expected a whole number from 0 to 86400000, received ${value}`,
      );
    }
  });

  it.each([["serve"], ["worker"], ["verify"], ["close-period"], ["migrate"]])(
    "refuses an empty DATABASE_URL: %s",
    (command) => {
      for (const empty of ["", " "]) {
        expect(() => readConfig([command], { DATABASE_URL: empty })).toThrow(
          "DATABASE_URL: expected a URL, or no such variable for the embedded PostgreSQL, received an empty one",
        );
      }
    },
  );

  it("refuses a timeout in DATABASE_URL that is given twice", () => {
    const twice = { DATABASE_URL: "postgres://h/d?lock_timeout=5&lock_timeout=5s" };
    expect(() => readConfig(["serve"], twice)).toThrow(
      "DATABASE_URL: lock_timeout: expected once, received it twice",
    );
  });

  it("refuses a DATABASE_URL that is none, and does not repeat it", () => {
    expect(() => readConfig(["serve"], { DATABASE_URL: "mysql://u:s3cret@h/d" })).toThrow(
      "DATABASE_URL: expected a URL such as postgres://user@host:5432/database, received something else",
    );
  });
});

describe("creditgate", () => {
  it("prints its options with --help, its version with --version", async () => {
    const [help, commands, version] = await Promise.all([
      creditgate(["serve", "--help"]).exit,
      creditgate(["--help"]).exit,
      creditgate(["--version"]).exit,
    ]);
    expect(commands).toMatchObject({ code: 0, stderr: "" });
    for (const name of ["serve", "close-period", "wallets", "doctor"])
      expect(commands.stdout).toContain(name);
    expect(help).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("--settlement-delay <MS>"),
    });
    expect(version).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it("ends with 2 for a wrong option, and says how to see the right ones", async () => {
    expect(await creditgate(["serve", "--port", "http"]).exit).toMatchObject({
      code: 2,
      stdout: "",
      stderr:
        "creditgate: --port: expected a whole number from 0 to 65535, received http\ncreditgate serve --help shows the options.\n",
    });
  });

  it("explains a code, and names those that are near to one that it does not know", async () => {
    const { code, stdout, stderr } = await creditgate(["explain", "insufficient_credits"]).exit;
    expect([code, stderr]).toEqual([0, ""]);
    for (const part of [/^insufficient_credits \(402\)$/m, /^Why\. /m, /^What to do\. /m])
      expect(stdout).toMatch(part);
    expect(stdout).not.toMatch(/\*\*|\]\(/);
    expect(await creditgate(["explain", "insufficient_credit"]).exit).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("such as insufficient_credits, "),
    });
  });

  it("ends with 1 for a PostgreSQL that does not answer, without a stack trace", async () => {
    const { code, stderr } = await creditgate(["serve"], {
      DATABASE_URL: "postgres://u:s3cret@127.0.0.1:1/d",
    }).exit;
    expect(code).toBe(1);
    expect(stderr).toBe(
      "creditgate: DATABASE_URL: expected a PostgreSQL that can be reached, received: ECONNREFUSED\n",
    );
  });

  it.each([
    ["has no TLS", "The server does not support SSL connections", (socket: Socket) => socket.end("N")],
    [
      "has a certificate that it does not trust",
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      (socket: Socket) => {
        socket.write("S");
        new TLSSocket(socket, { isServer: true, ...selfSigned }).on("error", () => undefined);
      },
    ],
  ])("ends with 1 for a PostgreSQL that %s, without a stack trace", async (_, why, answer) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined).once("data", () => answer(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { code, stderr } = await creditgate(["serve"], {
      DATABASE_URL: `postgres://u@127.0.0.1:${port}/d?sslmode=verify-full`,
    }).exit;
    server.close();
    expect([code, stderr]).toEqual([
      1,
      `creditgate: DATABASE_URL: expected a PostgreSQL that can be reached, received: ${why}\n`,
    ]);
  });

  it.each([
    [
      "a database that is not there",
      (url: string) => url.replace(/[^/]*$/, "creditgate_nowhere"),
      'expected a database that exists, received: database "creditgate_nowhere" does not exist (3D000). Create it first, or name another.',
    ],
    [
      "a parameter of the URL that PostgreSQL does not know",
      (url: string) => `${url}?options=-c%20statement_limit%3D5`,
      'expected parameters that PostgreSQL knows, received: unrecognized configuration parameter "statement_limit" (42704). Correct the part after the ? of the URL.',
    ],
  ])("ends with 2 for %s, in one line", async (_, urlOf, words) => {
    const { databaseUrl } = await usePostgres();
    expect(
      await creditgate(["serve", "--port", "0"], { DATABASE_URL: urlOf(databaseUrl) }).exit,
    ).toMatchObject({
      code: 2,
      stderr: `creditgate: DATABASE_URL: ${words}\ncreditgate serve --help shows the options.\n`,
    });
  });

  it("ends with 1 for a port in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const database = await createMigratedDatabase();
    const { code, stderr } = await creditgate(["serve", "--port", port], {
      DATABASE_URL: database.databaseUrl,
    }).exit;
    other.close();
    await database.drop();
    expect(code).toBe(1);
    expect(stderr).toContain(`--port: expected a free port, received ${port}, which is in use on 127.0.0.1.`);
  });
});
