import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programOf, readArguments } from "../src/cli/admin/arguments.ts";
import { fieldsOf } from "../src/cli/admin/command.ts";
import { resourceNames } from "../src/cli/admin/resource-names.ts";
import { table } from "../src/cli/admin/table.ts";
import { bareEnvironment } from "../src/database/embedded/data-directory.ts";
import { type AdminScene, adminToken, openAdminScene } from "./admin-scene.ts";
import { creditgate, program } from "./serve-process.ts";

let scene: AdminScene;
beforeAll(async () => {
  scene = await openAdminScene();
});
afterAll(() => scene.plane.stop());

const environment = (changes: NodeJS.ProcessEnv = {}) => ({
  CREDITGATE_BASE_URL: scene.plane.baseUrl,
  CREDITGATE_ADMIN_TOKEN: adminToken,
  ...changes,
});
const run = (...args: string[]) => creditgate(args, environment()).exit;
/** What a command that succeeds prints. */
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Record<string, unknown>;
};

describe("creditgate RESOURCE ACTION", () => {
  it("makes a customer with a wallet, fills it once for each key, and lists what was done", async () => {
    expect(await json("customers", "create", "=carol", "--name", "Carol", "--tax-id", "NL1")).toMatchObject({
      taxId: "NL1",
      externalId: "=carol",
    });
    const wallet = ["=carol", "ai_credits"];
    expect(await json("wallets", "create", ...wallet, "--kind", "prepaid")).toMatchObject({ available: 0 });
    const topUps = await Promise.all(
      [0, 1].map(() => json("wallets", "top-up", ...wallet, "12.5", "--key", "payment-1")),
    );
    expect(topUps[0]).toEqual(topUps[1]);
    const [correction, listed, file] = await Promise.all([
      json("wallets", "correct", ...wallet, "-2", "--reason", "a mistake", "--key", "correction-1"),
      run("ledger", "list", "--customer", "=carol", "--cause", "top_up"),
      run("customers", "list", "--search", "carol", "--csv"),
    ]);
    expect(correction).toMatchObject({ available: 10.5 });
    const lines = listed.stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ cause: "top_up", available: 12.5 }]);
    expect(file).toMatchObject({ code: 0, stderr: "" });
    expect(file.stdout).toMatch(/^"externalId","name",.*\r\n"'=carol","Carol",.*\r\n$/);
  });

  it("sets prices, makes orders, and voids, credits and tells of what was paid", async () => {
    const price = '{"perEvent":2}';
    const terms = ["--billing", "CREDITS", "--currency", "ai_credits", "--price", price];
    const items = '[{"agentId":"chat","platformFee":{"amount":100,"currency":"EUR"}}]';
    const order = ["--name", "Plan", "--start", "2026-01-01", "--items", items];
    const [set, open, paid, hook] = await Promise.all([
      json("prices", "set", "chat", "gift", ...terms),
      json("orders", "create", "bob", ...order, "--key", "order-1"),
      json("orders", "create", "alice", ...order, "--paid", "--key", "order-2"),
      json("webhooks", "create", "https://example.com/hook", "--events", "invoice.paid,invoice.voided"),
    ]);
    expect(set).toMatchObject({ price: { perEvent: "2" } });
    expect(hook).toMatchObject({ events: ["invoice.paid", "invoice.voided"] });
    const idOf = (made: Record<string, unknown>) =>
      (made.invoices as { invoiceId: string }[])[0]?.invoiceId ?? "";
    const issuer = ["--name", "Acme GmbH", "--address", '["Main Street 1"]'];
    expect(await json("issuers", "set", ...issuer)).toMatchObject({ version: 1, taxes: [] });
    const [voided, note, resettled, audit, page] = await Promise.all([
      json("invoices", "void", idOf(open), "--reason", "a mistake"),
      json("invoices", "credit", idOf(paid), "--amount", "40", "--reason", "late", "--key", "note-1"),
      json("usage", "resettle", "--cause", "out_of_range", "--reason", "mended"),
      run("audit", "list", "--action", "order.create", "--limit", "1"),
      run("invoices", "print", idOf(paid)),
    ]);
    expect(voided).toMatchObject({ status: "void" });
    expect(note).toMatchObject({ amount: 40 });
    expect(page).toMatchObject({ code: 0, stderr: "" });
    expect(page.stdout).toMatch(/^<!doctype html>[\s\S]*Acme GmbH[\s\S]*<\/html>\n$/);
    expect(resettled).toEqual({ resettled: 0 });
    expect(JSON.parse(audit.stdout)).toMatchObject({ action: "order.create", actor: "admin:test" });
  });

  it("ends with 2 for what cannot be asked, with 1 for what the service refuses, and says what to do", async () => {
    const wrong = creditgate(["invoices", "list"], environment({ CREDITGATE_ADMIN_TOKEN: "x".repeat(20) }));
    const [unknown, refused, elsewhere, token] = await Promise.all([
      run("invoices", "void", "none"),
      run("customers", "show", "nobody"),
      run("ledger", "list", "--organization", "Acmee"),
      wrong.exit,
    ]);
    expect(unknown).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(
        "invoices void: --reason: expected why, for the audit log, received nothing",
      ),
    });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('customer: expected one that exists, received "nobody"'),
    });
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('there is "Acme"') });
    expect(token).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("CREDITGATE_ADMIN_TOKEN is to be"),
    });
    expect(token.stderr).not.toContain("xxxx");
  });

  it("names the option whose value does not fit, as it was typed, and the help that tells of it", async () => {
    const [status, price, action] = await Promise.all([
      run("invoices", "list", "--status", "paied"),
      run("prices", "set", "chat", "message", "--billing", "CREDITS", "--price", '{"perEvent":-1}'),
      run("invoices", "lst"),
    ]);
    expect(status.stderr).toBe(
      'creditgate: invoices list: --status: expected one of "open"|"paid"|"void"\ncreditgate invoices --help shows the options.\n',
    );
    expect(price.stderr).toMatch(/^creditgate: prices set: --price: perEvent: expected /);
    expect(action.stderr).toMatch(/ did you mean list\?\ncreditgate invoices --help shows the options.\n$/);
  });
});

describe("the arguments of a command", () => {
  const messageOf = (resource: (typeof resourceNames)[number], ...args: string[]) => {
    try {
      return readArguments(resource, args);
    } catch (error) {
      return error instanceof Error ? error.message : error;
    }
  };

  it.each([
    [
      ["list", "--custmer", "a"],
      /^wallets list: expected one of .*, received --custmer; did you mean --customer\?$/,
    ],
    [["lst"], /^wallets: expected one of urgent, list, show, .*, received lst; did you mean list\?$/],
    [["show", "a"], /^wallets show: expected CUSTOMER CURRENCY, received no CURRENCY$/],
    [["show", "a", "b", "c"], /^wallets show: expected CUSTOMER CURRENCY, received c too$/],
    [["top-up", "a", "b", "1"], /^wallets top-up: --key: expected the id of what is to happen once/],
    [["limits", "a", "b", "--overage-limit", "much"], /--overage-limit: expected a number, received much$/],
    [["show", "a", "b", "--csv"], /^wallets show: expected one of .*, received --csv$/],
    [["show", "a", "b", "--key", "k"], /^wallets show: expected one of .*, received --key$/],
    [
      ["top-up", "a", "b", "1", "--reason", "--key", "k"],
      /--reason: expected a value, received --key, an option$/,
    ],
    [["list", "--csv", "--limit", "1"], /--limit: expected none of a file/],
    [["list", "--limit", "0"], /^wallets list: --limit: expected a whole number from 1 on, received 0$/],
    [["list", "--limit", "1.5"], /--limit: expected a whole number from 1 on, received 1.5$/],
    [["list", "--limit", "-1"], /--limit: expected a whole number from 1 on, received -1$/],
    [["list", "--kind"], /--kind: expected a value, received none$/],
    [["list", "--kind", "prepaid", "--kind", "prepaid"], /--kind: expected once, received it twice$/],
  ])("are refused where they are wrong: %j", (args, message) => {
    expect(messageOf("wallets", ...args)).toMatch(message);
  });

  it("are numbers, lists, JSON, what removes, and credits below 0", () => {
    expect(messageOf("wallets", "correct", "a", "b", "-2.5", "--reason", "r", "--key", "k")).toMatchObject({
      request: { customerId: "a", creditCurrencyKey: "b", credits: -2.5, reason: "r" },
    });
    expect(messageOf("wallets", "limits", "a", "b", "--low-threshold", "null")).toMatchObject({
      request: { lowThreshold: null },
    });
    expect(messageOf("usage", "resettle", "--reason", "r", "--ids", "x,y")).toMatchObject({
      request: { usageIds: ["x", "y"] },
    });
    expect(messageOf("invoices", "credit", "i", "--reason", "r", "--key", "k", "--credits", "{")).toMatch(
      /--credits: expected JSON in single quotes, received \{/,
    );
  });

  it("edit the fields that are given, and no others, whatever someone else has edited", () => {
    const requestOf = (...args: Parameters<typeof messageOf>) =>
      Reflect.get(Object(messageOf(...args)), "request");
    expect(requestOf("wallets", "limits", "a", "b", "--overage-limit", "5")).toEqual({ overageLimit: 5 });
    expect(requestOf("customers", "edit", "a", "--city", "Faro")).toEqual({ city: "Faro" });
    expect(requestOf("agents", "edit", "chat", "--type", "voice")).toEqual({ agentType: "voice" });
    expect(requestOf("webhooks", "edit", "w", "--description", "Mine")).toEqual({ description: "Mine" });
    expect(requestOf("organizations", "configure", "--low-threshold", "5")).toEqual({ lowThreshold: 5 });
  });

  it("give a file no limit, whether it is asked for or all that the command answers", () => {
    expect(messageOf("books", "money", "--limit", "1")).toMatch(
      /books money: expected one of .*, received --limit/,
    );
    expect(messageOf("books", "money", "--csv")).toMatch(/expected one of .*, received --csv/);
  });

  it("have the limit of a budget as its field, and not as that of a list", () => {
    expect(messageOf("budgets", "set", "a", "b", "member:1", "--limit", "0.5")).toMatchObject({
      request: { limit: 0.5 },
    });
    expect(messageOf("budgets", "list", "--limit", "0.5")).toMatch(/--limit: expected a whole number/);
  });

  it("name the orders that are made for wallets below their threshold", () => {
    expect(messageOf("orders", "list", "--type", "top_up")).toMatchObject({ request: { type: "top_up" } });
    const list = programOf("orders").commands.find((command) => command.name() === "list");
    expect(list?.helpInformation()).toContain("top_up");
  });

  it("are explained for each resource and each command, within a terminal's width", () => {
    expect(Object.keys(table)).toEqual([...resourceNames]);
    for (const resource of resourceNames) {
      const program = programOf(resource);
      const help = program.helpInformation();
      for (const command of program.commands) {
        const stated = table[resource][command.name()];
        if (stated === undefined) throw new Error(`${command.name()} is no command`);
        const own = command.helpInformation();
        expect(help).toContain(stated.endpoint.summary);
        for (const { name, word } of fieldsOf(stated))
          expect(own).toContain(stated.arguments.includes(name) ? word.toUpperCase() : `--${word}`);
        for (const line of `${help}${own}`.split("\n")) expect(line.length, line).toBeLessThanOrEqual(132);
      }
    }
  });
});

describe("the page on the command line", () => {
  it("has commands that work, and all resources", async () => {
    const page = new URL("../../../docs/control-plane/command-line.md", import.meta.url);
    const text = await readFile(page, "utf8");
    const [, commands = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(text) ?? [];
    const folder = await mkdtemp(join(tmpdir(), "creditgate-readme-"));
    const script = `creditgate() { "${process.execPath}" "${program}" "$@"; }\n${commands}cat ledger.csv`;
    const options = { cwd: folder, env: { ...bareEnvironment, ...environment() } };
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], options);
    expect(stdout).toContain('"zoe","ai_credits","top_up",100,');
    for (const resource of resourceNames) expect(text).toContain(`\`${resource}\``);
    await rm(folder, { recursive: true });
  });
});

describe("creditgate beside a creditgate serve", () => {
  it("reads its token from its file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "creditgate-beside-"));
    await mkdir(join(folder, ".creditgate"));
    await writeFile(join(folder, ".creditgate/admin-token"), `${adminToken}\n`);
    const { CREDITGATE_ADMIN_TOKEN: _, ...rest } = environment();
    const listed = await creditgate(["organizations", "list"], rest, folder).exit;
    expect(listed).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(listed.stdout)).toMatchObject({ name: "Acme" });
    await rm(folder, { recursive: true });
  });
});
