import type { OpenRecord } from "../contract/fields.ts";
import { CreditgateError, isCreditgateError } from "../errors/creditgate-error.ts";
import { isJsonObject } from "../errors/json-object.ts";
import { unknownName } from "../errors/unknown-name.ts";
import type { Answer } from "../transport/call.ts";
import { endpoints } from "../transport/endpoints.ts";
import type { Transport } from "../transport/transport.ts";
import { checkAgent } from "./agent-check.ts";
import { type Expectations, expectationNames, type Finding, undetermined, well, wrong } from "./finding.ts";

/** The customer that is requested if none is named. An unknown one shows as much of the service and the key. */
const probe = "creditgate-check";
const checkBaseUrl = "check the baseUrl (CREDITGATE_BASE_URL)";
/** The `Date` of an answer has whole seconds, and the answer takes a while. */
const clockToleranceMs = 5_000;

/**
 * Tries the service as a gate would use it, and changes nothing there: address, key and clock, then the agent, its
 * indicator, the currency, the customer's wallet and the price, as far as they are named. What a service does not
 * report is `ok: undefined`. Rejects with `invalid_option` for a name that it does not know, else never. Creditgate's
 * control plane reports all of it (API, sections 4.1 and 4.5).
 */
export async function checkService(
  transport: Pick<Transport, "send">,
  expected: Expectations = {},
): Promise<readonly Finding[]> {
  const unknown = unknownName(expected, expectationNames);
  if (unknown !== undefined) throw new CreditgateError("invalid_option", unknown);
  let answer: Answer | undefined;
  let listed: Answer | undefined;
  try {
    answer = await transport.send(
      endpoints.walletBalance,
      { query: { customer_id: expected.customerId ?? probe } },
      { retries: 0 },
    );
  } catch (error) {
    const findings = failure(error);
    if (findings !== undefined) return findings;
    listed = await anyAnswer(transport);
    // An API gateway answers 404 in JSON too, for whatever is asked.
    if (!saysUnknown(error) && listed === undefined)
      return [wrong("service", String(isCreditgateError(error) ? error.message : error), checkBaseUrl)];
  }
  const balances = answer === undefined ? undefined : balancesOf(answer);
  if (answer !== undefined && balances === undefined) {
    const message = "the service answered a balance request with something else";
    return [wrong("service", message, checkBaseUrl)];
  }
  return [
    well("service", "it answers as the API says"),
    well("key", "it is accepted"),
    ...clock(answer ?? listed, expected),
    ...ledgers(answer ?? listed),
    ...(await checkAgent(transport, expected, {
      costs: returnsCosts(balances),
      usageParts: (answer ?? listed)?.usageParts,
    })),
    ...checkWallet(balances, expected),
  ];
}

function balancesOf({ body }: Answer): Readonly<Record<string, unknown>> | undefined {
  return isJsonObject(body) && isJsonObject(body.balances) ? body.balances : undefined;
}

/** A service that reports unsettled usage also returns the cost of each report (decisions/0003). */
function returnsCosts(balances: Readonly<Record<string, unknown>> = {}): boolean {
  return Object.values(balances).some((entry) => isJsonObject(entry) && typeof entry.unsettled === "number");
}

/** What a failed balance request says; `undefined` where it says only that the service does not know the customer. */
function failure(error: unknown): readonly Finding[] | undefined {
  if (!isCreditgateError(error)) return [undetermined("service", String(error))];
  const { code, status, message } = error;
  if (code === "invalid_option") return [wrong("service", message, "give the client what it names")];
  if (status === 401)
    return [reached, wrong("key", message, "check CREDITGATE_API_KEY, or apiKey of createClient()")];
  if (status === 403)
    return [reached, wrong("key", message, "use a key that may read balances and report usage")];
  if (status === 404 && isOfService(error)) return undefined;
  // The untyped call finds an answer invalid only where it is a page of a website.
  const moved = code === "redirected" || code === "not_sent" || code === "answer_invalid";
  const elsewhere = moved || status === 404 || status === 405;
  if (elsewhere) return [wrong("service", message, checkBaseUrl)];
  return [undetermined("service", message, "try again when the service is well")];
}

const reached: Finding = well("service", "it answers");

function isOfService({ problem }: CreditgateError): boolean {
  return problem !== undefined && problem.code !== "route_unknown";
}

/** Whether a 404 says what is unknown, in the manner of Creditgate's control plane. */
function saysUnknown(error: unknown): boolean {
  return isCreditgateError(error) && typeof error.problem?.code === "string";
}

/** Where the customer is not known there is no answer yet that says what time it is, and who is there. */
async function anyAnswer(transport: Pick<Transport, "send">): Promise<Answer | undefined> {
  try {
    return await transport.send(endpoints.agentList, { query: { page: 1, limit: 1 } }, { retries: 0 });
  } catch {
    return undefined;
  }
}

function clock(answer: Answer | undefined, { now = Date.now }: Expectations): readonly Finding[] {
  const at = answer?.date;
  if (at === undefined) return [undetermined("clock", "the answer does not say what time it is")];
  const aheadMs = now() - at;
  if (Math.abs(aheadMs) <= clockToleranceMs) return [well("clock", "it agrees with that of the service")];
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const message = `it is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} that of the service`;
  return [wrong("clock", message, "let both machines take their time from NTP")];
}

/** Nothing is found where a service does not look for it. */
function ledgers(answer: Answer | undefined): readonly Finding[] {
  const separate = answer?.separateLedgers;
  if (separate === undefined) return [];
  if (separate === "guarded")
    return [well("ledger", "isolates spend wallets, each within the guard of its gate")];
  const message = `${separate} ledgers have spent the same wallets at the same time, and at least one of them is in the memory of its process: together they can overspend a wallet`;
  const fix = `give each process one shared ledger, on Redis, PostgreSQL or Durable Objects: "Many processes" in the README of @creditgate/core`;
  return [wrong("ledger", message, fix)];
}

/** The customer and its wallet; `balances` is `undefined` where the service does not know the customer. */
function checkWallet(balances: OpenRecord | undefined, expected: Expectations): readonly Finding[] {
  const { customerId, currency } = expected;
  if (customerId === undefined) return [];
  if (balances === undefined) {
    const message = `the service does not know ${JSON.stringify(customerId)}`;
    return [
      wrong("customer", message, "create the customer with customers.createOrGet(), or correct its id"),
    ];
  }
  const exists = well("customer", `${JSON.stringify(customerId)} exists`);
  if (currency === undefined) return [exists];
  const entry = Object.hasOwn(balances, currency) ? balances[currency] : undefined;
  if (isJsonObject(entry)) return [exists, checkKind(entry, expected)];
  const others = Object.keys(balances).map((name) => JSON.stringify(name));
  const has = others.length === 0 ? "none" : `one in ${others.join(", ")}`;
  const message = `expected a wallet in ${JSON.stringify(currency)}, found ${has}`;
  return [
    exists,
    wrong("wallet", message, "open the wallet at the service, or correct the currency of createGate()"),
  ];
}

function checkKind(entry: OpenRecord, { wallet, currency }: Expectations): Finding {
  const name = JSON.stringify(currency);
  const kind = kindOf(entry);
  if (kind === undefined) {
    return undetermined(
      "wallet",
      `the one in ${name} is all zeros, which is the same for prepaid and postpaid`,
    );
  }
  if (wallet === undefined || wallet === kind) {
    const unlimited = kind === "postpaid" && entry.postpaid_limit === 0;
    const limit = unlimited ? ", and has no limit: nothing that its customer asks for is denied" : "";
    return well("wallet", `the one in ${name} is ${kind}${limit}`);
  }
  const fix = `set wallet: "${kind}" in createGate(), or open a ${wallet} one at the service`;
  return wrong("wallet", `the one in ${name} is ${kind}, and the gate takes it for ${wallet}`, fix);
}

/**
 * As the service reports it, else by the fields that are not 0: each kind leaves those of the other at 0 (API,
 * section 2.1).
 */
function kindOf(entry: OpenRecord): "prepaid" | "postpaid" | undefined {
  if (entry.kind === "prepaid" || entry.kind === "postpaid") return entry.kind;
  if (entry.postpaid_used !== 0 || entry.postpaid_limit !== 0) return "postpaid";
  if (entry.available !== 0 || entry.overage_used !== 0 || entry.overage_limit !== 0) return "prepaid";
  return undefined;
}
