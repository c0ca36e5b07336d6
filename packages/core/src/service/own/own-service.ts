import { usageParts } from "@creditgate/client";
import { budgetsIn, storedKeys } from "#budgets";
import { textHint } from "#operator-messages";
import { shown } from "#verbosity";
import type { OutboxReport } from "../../outbox/outbox.ts";
import type { Awaitable } from "../../values/awaitable.ts";
import { type Clock, within } from "../../values/clock.ts";
import { isAmount, toMicro } from "../../values/micro.ts";
import { isThenable } from "../../values/object.ts";
import { checkIdentifier, checkNames, checkOneOf, checkShape, invalidOption } from "../../values/option.ts";
import { processWide } from "../../values/process-wide.ts";
import {
  type BalanceReading,
  missingWallet,
  readWallet,
  unknownCustomer,
} from "../../wallet/balance-reading.ts";
import type { BudgetKeys } from "../../wallet/budgets/budget.ts";
import { wrongField } from "../../wallet/capacity.ts";
import type { KnownService } from "../known-service.ts";
import type { Delivered, Outcome } from "../outcome.ts";
import type { Service, ServiceBalance } from "../service.ts";
import type { Upstream } from "../upstream.ts";

/** How the fingerprint of a service without a name begins. */
const unnamed = "unnamed ";
/** In one call of `report`. */
const mostReports = 100;
const reportTimeoutMs = 10_000;
const allParts: ReadonlySet<string> = new Set([...Object.keys(usageParts), "units"]);

interface WalletOptions {
  readonly currency: string;
  /** The option of the gate: without it the service returns of what kind a wallet is. */
  readonly wallet?: unknown;
}

interface OwnServiceOptions extends WalletOptions {
  readonly clock: Clock;
  readonly checkTimeoutMs: number;
}

/** The options of a gate that must fit its service. */
export interface BesideService {
  readonly client?: unknown;
  readonly ledger?: object | undefined;
  readonly outbox?: object | undefined;
}

/** The option `service`. Throws an `invalid_option` error for one that makes no sense, or does not fit the options beside it. */
export function ownUpstream(
  service: Service,
  { client, ledger, outbox }: BesideService,
  options: OwnServiceOptions,
): Upstream {
  if (client !== undefined) invalidOption("service", "none beside client", service);
  checkService(service);
  if (ledger !== undefined && "queue" in ledger)
    invalidOption("service", "none beside this ledger, which has a client of its own", service);
  if (ledger !== undefined && "flush" in ledger) requireName(service);
  if (outbox !== undefined && "recover" in outbox) requireName(service);
  return new OwnService(service, options);
}

/** It is here already. */
export function installOwnService(_upstream: typeof ownUpstream): void {}

/** Throws an `invalid_option` error for a service that makes no sense. */
function checkService(service: Service): void {
  checkShape("service", service, "an object with the functions balance and report", ["balance", "report"]);
  if (service.name !== undefined) checkIdentifier("service.name", service.name);
  if (service.settles !== undefined) checkOneOf("service.settles", service.settles, ["at once"]);
}

/** What another process reads must not be kept under a name that only this object has. */
function requireName({ name }: Service): void {
  if (name !== undefined) return;
  const why = "since a shared ledger or a durable outbox stores it";
  invalidOption("service.name", `a name that is the same in every process, ${why}`, name);
}

/** What distinguishes the wallets of a service from those of others. */
interface Identity {
  readonly currency: string;
  /** Of a service without a name. Drawn when it is first used: a gate may be made where Workers give no random values. */
  id?: string;
}

/** A service in two functions. */
class OwnService implements Upstream {
  readonly #service: Service;
  readonly #options: OwnServiceOptions;
  readonly #identity: Identity;

  /** Throws an `invalid_option` error for one whose wallets are in another currency. */
  constructor(service: Service, options: OwnServiceOptions) {
    this.#identity = identityOf(service, options.currency);
    this.#service = service;
    this.#options = options;
  }

  /** With the currency: `balance` returns no other, which must not be taken for a wallet that is missing. */
  async fingerprint(): Promise<string> {
    const { name } = this.#service;
    if (name !== undefined) return JSON.stringify([name, this.#options.currency]);
    this.#identity.id ??= unnamed + crypto.randomUUID();
    return this.#identity.id;
  }

  /** Of two without a name: a module that is evaluated twice, or a service for each request, would be many. */
  meet(
    service: KnownService,
    inUse: ReadonlyMap<string, { readonly idle: boolean }> = new Map(),
  ): Error | undefined {
    service.learnFrom({ batchLimit: mostReports, usageParts: allParts });
    service.learnKeys();
    const { fingerprint } = service;
    const others = [...inUse].filter(
      ([other, { idle }]) => other !== fingerprint && other.startsWith(unnamed) && !idle,
    );
    // The second one reports it; a third adds nothing.
    if (!fingerprint.startsWith(unnamed) || others.length !== 1) return undefined;
    return new Error(
      "service.name: expected a name, since another service has none: their gates share no holds",
    );
  }

  async balances(customerId: string, _: KnownService, budgets?: BudgetKeys): Promise<BalanceReading> {
    const { checkTimeoutMs, currency } = this.#options;
    try {
      const keys = budgets?.[currency];
      const answer = await this.#ask(
        "balance",
        (service) => service.balance(customerId, keys),
        checkTimeoutMs,
      );
      return readBalance(answer, this.#service, this.#options);
    } catch (error) {
      return { known: false, code: "upstream_unavailable", error };
    }
  }

  async post(report: OutboxReport): Promise<Outcome> {
    try {
      const [outcome] = await this.report([report]);
      return outcome ?? stored;
    } catch (error) {
      return { outcome: "ambiguous", pauseMs: 0, error };
    }
  }

  async report(reports: readonly OutboxReport[]): Promise<readonly Outcome[]> {
    const given = reports.map(({ id: key, customerId, agentId, indicator, currency, rawUsage, budgets }) => {
      // A copy: what the function changes in it must not be in what is sent again.
      const report = { key, customerId, agentId, indicator, currency, usage: structuredClone(rawUsage) };
      return budgets === undefined ? report : { ...report, budgets: structuredClone(budgets) };
    });
    const answer: unknown = await this.#ask("report", (service) => service.report(given), reportTimeoutMs);
    return readOutcomes(answer, reports);
  }

  async #ask<T>(name: string, call: (service: Service) => Awaitable<T>, timeoutMs: number): Promise<T> {
    const asked = (async () => ({ answer: await call(this.#service) }))();
    const answered = await within(asked, timeoutMs, this.#options.clock);
    if (answered === undefined) throw new Error(`${name}() has not answered within ${timeoutMs} ms`);
    return answered.answer;
  }
}

const stored = { outcome: "delivered", honoursKeys: true, cost: undefined } as const;

function malformed(place: string, expected: string, received: unknown): TypeError {
  const isText = /^(string|bigint)$/.test(typeof received);
  const hint = isText && expected.startsWith("a number") ? textHint : "";
  return new TypeError(`${place}: expected ${expected}, received ${shown(received)}${hint}`);
}

/** Reads what `balance` has returned. */
export function readBalance(
  answer: unknown,
  { settles }: Pick<Service, "settles">,
  { currency, wallet: option }: WalletOptions,
): BalanceReading {
  if (answer === undefined || answer === null) return unknownCustomer;
  const isObject = typeof answer === "object" && !Array.isArray(answer);
  const entry = isObject ? entryOf(answer, settles === "at once") : {};
  const [name, expected] = wrongField(entry) ?? ((entry.kind ?? option) ? [] : kindNeeded);
  if (name !== undefined && expected !== undefined) {
    const error = isObject
      ? malformed(`balance(): ${name}`, expected, entry[name])
      : malformed("balance()", "an object with available, undefined or null", answer);
    return { known: false, code: "upstream_invalid", error };
  }
  const reading = readWallet(entry, true);
  const wallet = (asked: string) => (asked === currency ? reading : missingWallet);
  const given = Object.hasOwn(answer as object, "budgets") ? (answer as ServiceBalance).budgets : undefined;
  const budget = given === undefined ? undefined : budgetsIn({ budgets: { [currency]: given } });
  return { known: true, currencies: [currency], wallet, ...(budget && { budget }) };
}

const kindNeeded = ["kind", '"prepaid" or "postpaid", or the option wallet'] as const;

const zero = { pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };

/**
 * As an entry of `balances` (API 2.1). Of `available` alone nothing else can be meant than a prepaid wallet: a postpaid one of zeros
 * has no limit.
 */
function entryOf(answer: object, settlesAtOnce: boolean): Readonly<Record<string, unknown>> {
  const { kind, unsettled, budgets: _, ...figures }: Readonly<Record<string, unknown>> = { ...answer };
  const isSimple = kind !== "postpaid" && !Object.keys(zero).some((name) => name in figures);
  return {
    ...(isSimple && zero),
    ...figures,
    kind: kind ?? (isSimple ? "prepaid" : undefined),
    unsettled: unsettled === undefined && settlesAtOnce ? 0 : unsettled,
  };
}

type ReportOfWallet = Pick<OutboxReport, "currency" | "budgets">;

/** Reads what `report` has returned. Throws if that makes no sense. */
export function readOutcomes(answer: unknown, reports: readonly ReportOfWallet[]): readonly Outcome[] {
  if (answer === undefined || answer === null) return reports.map(storedWith);
  const { length } = reports;
  if (!Array.isArray(answer))
    throw malformed("report()", `an array of ${length} outcomes, or nothing`, answer);
  if (answer.length !== length) throw malformed("report().length", `${length}`, answer.length);
  return reports.map((report, index) => readOutcome(answer[index], `report()[${index}]`, report));
}

const outcomeNames = { credits: true, refused: true };

/** What a function of the user has stored it has stored with its budgets: there is no other version of it that would not. */
function storedWith({ budgets }: ReportOfWallet): Delivered {
  return budgets === undefined ? stored : { ...stored, budgets: storedKeys(budgets) };
}

function readOutcome(outcome: unknown, place: string, report: ReportOfWallet): Outcome {
  if (outcome === undefined || outcome === null) return storedWith(report);
  // A promise has not stored anything yet.
  if (typeof outcome !== "object" || isThenable(outcome))
    throw malformed(place, "an object, or nothing", outcome);
  // A refusal that is misspelt would count as billed.
  checkNames(outcome, outcomeNames, { what: "field", place: `${place}.` });
  const { credits, refused }: { readonly credits?: unknown; readonly refused?: unknown } = outcome;
  if (refused !== undefined) {
    if (typeof refused !== "string") throw malformed(`${place}.refused`, "the reason as a string", refused);
    return { outcome: "undeliverable", pauseMs: 0, isRefusal: true, error: new Error(refused) };
  }
  if (credits === undefined) return storedWith(report);
  if (!isAmount(credits)) throw malformed(`${place}.credits`, "a number, 0 or more", credits);
  return { ...storedWith(report), cost: { amount: toMicro(credits, "ceil"), currency: report.currency } };
}

/** In all instances of this module the same: a bundler may evaluate it twice. */
function identityOf(service: Service, currency: string): Identity {
  const identities = processWide("services@2", () => new WeakMap<Service, Identity>());
  const known = identities.get(service) ?? { currency };
  if (known.currency !== currency)
    invalidOption("currency", `that of another gate on this service, "${known.currency}"`, currency);
  identities.set(service, known);
  return known;
}
