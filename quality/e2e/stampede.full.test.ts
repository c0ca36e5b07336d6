import type { WalletBalance } from "@creditgate/client";
import type { FixtureWallet } from "@creditgate/control-plane";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixtureOf, type GatedApi, startGatedApi } from "./gated-api.ts";

/** An event costs all of its hold, so that what is admitted is also what is billed. 0.3 has no exact binary fraction. */
const prices = { small: 0.3, message: 1, large: 2.5 };
type Indicator = keyof typeof prices;
const indicators: readonly Indicator[] = ["small", "message", "large"];

interface Customer {
  readonly id: string;
  readonly indicator: Indicator;
  readonly wallet: FixtureWallet;
}

/** A hundred wallets that pay for 0 to 10 events and a little more, in four ways. */
const customers: readonly Customer[] = Array.from({ length: 100 }, (_, index) => {
  const indicator = indicators[index % 3] ?? "message";
  const price = micro(prices[indicator]);
  // Steps that share no factor with 11, 3 and 4 mix affordable events, rests, prices and kinds.
  const capacity = ((7 * index) % 11) * price + ((index * 77_777) % price);
  return { id: `customer-${index}`, indicator, wallet: walletOf(index % 4, capacity) };
});
const requestsEach = 10;
const requests = customers.length * requestsEach;

/** A wallet that can pay this amount of micro-credits, in one of four ways. */
function walletOf(way: number, capacity: number): FixtureWallet {
  const currency = "ai_credits";
  const part = Math.floor(capacity / 3);
  switch (way) {
    case 0:
      return { kind: "prepaid", currency, available: credits(capacity) };
    case 1:
      return {
        kind: "prepaid",
        currency,
        available: credits(part),
        overageLimit: credits(capacity - part),
      };
    case 2:
      return {
        kind: "prepaid",
        currency,
        overageUsed: 4.4,
        overageLimit: credits(capacity + micro(4.4)),
        pending: 50,
      };
    default:
      // A limit of 0 would be none at all.
      return { kind: "postpaid", currency, used: credits(part), limit: credits(part + capacity + 1) };
  }
}

/** By hand, from the figures of the wallet. */
function capacityOf(wallet: FixtureWallet): number {
  if (wallet.kind === "postpaid") return micro(wallet.limit) - micro(wallet.used);
  return micro(wallet.available) + micro(wallet.overageLimit) - micro(wallet.overageUsed);
}

/** The wallet after this amount of micro-credits was debited: from what is available first, then from the line. */
function debited(wallet: FixtureWallet, amount: number): Partial<WalletBalance> {
  if (wallet.kind === "postpaid") return { postpaid_used: credits(micro(wallet.used) + amount) };
  const fromAvailable = Math.min(micro(wallet.available), amount);
  return {
    available: credits(micro(wallet.available) - fromAvailable),
    overage_used: credits(micro(wallet.overageUsed) + amount - fromAvailable),
  };
}

function micro(amount = 0): number {
  return Math.round(amount * 1e6);
}

function credits(amount: number): number {
  return amount / 1e6;
}

describe("a thousand requests at once over a hundred wallets", () => {
  let controlPlane: TestControlPlane;
  let api: GatedApi;
  let answers: Map<string, number[]>;

  beforeAll(async () => {
    const byId = new Map(customers.map((customer) => [customer.id, customer]));
    const customerOf = (id = "") => byId.get(id);
    const indicatorOf = (id: string | undefined) => customerOf(id)?.indicator ?? "message";
    controlPlane = await startControlPlane({
      fixture: fixtureOf(Object.fromEntries(customers.map(({ id, wallet }) => [id, wallet])), prices),
    });
    api = await startGatedApi(
      controlPlane,
      { wallet: (id) => customerOf(id)?.wallet.kind ?? "prepaid", checkTimeoutMs: 30_000, concurrency: 64 },
      {
        indicator: (request) => indicatorOf(request.get("x-customer")),
        hold: (request) => prices[indicatorOf(request.get("x-customer"))],
      },
    );
    answers = await stampede();
  }, 60_000);

  afterAll(async () => {
    await api?.stop();
    await controlPlane?.stop();
  });

  /** Sends all at once, and lets no handler end before every request is decided; the statuses, by customer. */
  async function stampede(): Promise<Map<string, number[]>> {
    const { gate, post } = api;
    const decided = new Promise<void>((resolve) => {
      let count = 0;
      gate.on("decision", () => ++count === requests && resolve());
    });
    api.handler = async (_request, response) => {
      await decided;
      response.json({});
    };
    const statuses = new Map<string, number[]>(customers.map(({ id }) => [id, []]));
    // In turns, so that each wallet's requests meet those of the others.
    const all = Array.from({ length: requestsEach }, () => customers).flat();
    await Promise.all(
      all.map(async ({ id }) => {
        const response = await post(id);
        await response.arrayBuffer();
        statuses.get(id)?.push(response.status);
      }),
    );
    return statuses;
  }

  it("admits for each wallet exactly as many as it can pay for, and denies the others with 402", () => {
    for (const { id, indicator, wallet } of customers) {
      const affordable = Math.floor(capacityOf(wallet) / micro(prices[indicator]));
      const admitted = Math.min(requestsEach, affordable);
      const statuses = answers.get(id)?.toSorted();
      expect(statuses, id).toEqual(
        Array.from({ length: requestsEach }, (_, index) => (index < admitted ? 200 : 402)),
      );
    }
  });

  it("leaves each wallet, once all is settled, debited by exactly what was admitted", async () => {
    expect(await api.gate.flush({ timeoutMs: 30_000 })).toEqual({ queued: 0, parked: 0, dead: 0 });
    await controlPlane.settled();
    const balances = await Promise.all(customers.map(({ id }) => controlPlane.balance(id)));
    for (const [index, { id, indicator, wallet }] of customers.entries()) {
      const admitted = answers.get(id)?.filter((status) => status === 200).length ?? 0;
      expect(balances[index]?.ai_credits, id).toMatchObject(
        debited(wallet, admitted * micro(prices[indicator])),
      );
    }
  }, 60_000);
});
