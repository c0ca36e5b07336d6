import { createClient, type RawUsage } from "@creditgate/client";
import type { Fixture } from "@creditgate/control-plane";
import { harbour, openScene, password, type Scene, type Visit } from "./scene.ts";

type FixtureCustomer = NonNullable<Fixture["customers"]>[number];
type FixtureWallet = NonNullable<FixtureCustomer["wallets"]>[number];

export const currency = "ai_credits";
const hourMs = 3_600_000;
const dayHours = 24;

/** What an agent's work costs, and how much of it a customer has done on a day. */
const agents = [
  {
    ...{ agentId: "phone", indicator: "call", name: "Phone agent", price: { perAudioMinute: 2 } },
    usageOf: (i: number): RawUsage => ({ model: "nova-3", seconds: 60 + 30 * ((i * 7) % 18) }),
  },
  {
    ...{ agentId: "draft", indicator: "draft", name: "Draft writer", price: { perEvent: 5 } },
    usageOf: (): RawUsage => ({ model: "gpt-5", outputTokens: 1_200 }),
  },
  {
    ...{ agentId: "research", indicator: "report", name: "Deep research", price: { perEvent: 12 } },
    usageOf: (): RawUsage => ({ model: "gpt-5", inputTokens: 180_000, outputTokens: 9_000 }),
  },
] as const;

const chat = {
  ...{ agentId: "chat", indicator: "message" },
  usageOf: (i: number): RawUsage => ({
    provider: "openai",
    model: "gpt-5",
    inputTokens: 2_000 + 100 * ((i * 37) % 90),
    outputTokens: 200 + 100 * ((i * 5) % 14),
  }),
};

function customer(externalId: string, name: string, ...wallets: FixtureWallet[]): FixtureCustomer {
  return { externalId, name, email: `billing@${externalId}.example`, wallets };
}

const prepaid = (available: number, overageLimit = 0): FixtureWallet => ({
  kind: "prepaid",
  currency,
  available,
  overageLimit,
});
const postpaid = (limit: number): FixtureWallet => ({ kind: "postpaid", currency, limit });

/** What the customers have had at the beginning. All else is done through the API, as time goes on. */
const demo: Fixture = {
  ...harbour,
  agents: [
    ...(harbour.agents ?? []),
    ...agents.map(({ agentId, indicator, name, price }) => ({
      ...{ agentId, agent_external_id: `${agentId}-1`, agent_name: name },
      indicators: [{ name: indicator, billing: "CREDITS", currency, price }],
    })),
  ],
  customers: [
    customer("atlas-law", "Atlas Law", prepaid(4_000, 500)),
    customer("brightwater", "Brightwater Clinics", postpaid(415)),
    customer("cobalt-freight", "Cobalt Freight", prepaid(700, 500)),
    customer("dovetail", "Dovetail Studio", prepaid(400, 500), {
      ...{ kind: "postpaid", currency: "voice_minutes", limit: 1_000, used: 312.75 },
    }),
    customer("eastgate", "Eastgate Insurance", postpaid(5_000)),
    customer("fjord-robotics", "Fjord Robotics", postpaid(0)),
    customer("greenline", "Greenline Energy", prepaid(3_400)),
    customer("ivory-travel", "Ivory Travel", prepaid(3_200, 200)),
    customer("juniper", "Juniper Labs", prepaid(6_000, 1_000)),
    // It uses drafts only, of 5 credits each, down to the last of its line.
    customer("kestrel", "Kestrel Media", prepaid(100, 200)),
    customer("lumen", "Lumen Schools", prepaid(2_900, 400)),
  ],
};

/** The demo organisation, and its owner's window. */
export interface Demo {
  readonly scene: Scene;
  readonly owner: Visit;
}

/** An organisation after so many days: all of its usage, orders and top-ups have come through the API, on a clock that was set. */
export async function openDemo(days: number): Promise<Demo> {
  let behindMs = days * dayHours * hourMs;
  const scene = await openScene(demo, { now: () => Date.now() - behindMs });
  const { plane, admin } = scene;
  const client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey, timeoutMs: 60_000 });
  for (let hour = days * dayHours; hour > 0; ) {
    behindMs = hour * hourMs;
    await reportUsage(scene, client, hour);
    await plane.settled();
    if (hour === Math.min(days - 1, 5) * dayHours) await pay(admin);
    // The last day hour by hour, for the chart of settlement.
    hour -= hour > dayHours ? dayHours : 1;
  }
  behindMs = 0;
  const owner = await scene.open(await scene.invite("mira@harbour.ai", "owner"));
  const { page } = owner;
  await page.getByLabel("Your name").fill("Mira Okafor");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
  return { scene, owner };
}

/** What the customers use in a day, or in an hour of the last one; those who cannot pay have no work done. */
async function reportUsage({ plane }: Scene, client: ReturnType<typeof createClient>, hour: number) {
  const isHourly = hour <= dayHours;
  const weekday = new Date(Date.now() - hour * hourMs).getUTCDay();
  const isWeekend = weekday === 0 || weekday === 6;
  const reports = (demo.customers ?? []).flatMap(({ externalId: customerId }, number) => {
    // Its whole statement is one page of the dashboard.
    if (customerId === "cobalt-freight" && hour > 18 * dayHours) return [];
    const kinds = customerId === "kestrel" ? [agents[1]] : [chat, chat, ...agents];
    return kinds.flatMap(({ agentId, indicator, usageOf }, kind) => {
      const turn = hour + 5 * number + 3 * kind;
      const isDue = isHourly ? turn % 24 === 0 : isWeekend ? kind < 2 : turn % 3 !== 0 || kind < 1;
      const rawUsage = usageOf(turn + kind);
      return isDue ? [{ agentId, indicator, customerId, rawUsage }] : [];
    });
  });
  const admitted = new Map<string, boolean>();
  for (const { externalId } of demo.customers ?? []) {
    const wallet = (await plane.balance(externalId))[currency];
    if (wallet === undefined) throw new Error(`${externalId}: expected a wallet in ${currency}`);
    const { available, overage_limit, overage_used, postpaid_limit, postpaid_used } = wallet;
    const most = externalId === "kestrel" ? 5 : 60;
    const left = available + overage_limit - overage_used + postpaid_limit - postpaid_used;
    admitted.set(externalId, left >= most || (wallet.kind === "postpaid" && postpaid_limit === 0));
  }
  const work = reports.filter(({ customerId }) => admitted.get(customerId));
  await Promise.all(work.map((report) => client.usage.report(report)));
}

/** Some days ago one customer has bought a plan and topped up, and another one has ordered and not paid. */
async function pay(admin: Scene["admin"]): Promise<void> {
  const orders = [
    ["cobalt-freight", "Starter", 500, true],
    ["dovetail", "Plus", 200, false],
  ] as const;
  for (const [customerExternalId, orderName, credits, paid] of orders) {
    const benefit = { credit_currency_key: currency, credits };
    const fee = { amount: credits * 9, currency: "EUR" };
    await admin.orders.create(
      {
        ...{ customerExternalId, orderName, startDate: "2026-01-31", paid },
        lineItems: [{ agentId: "chat", platformFee: fee, creditBenefits: [benefit] }],
      },
      { idempotencyKey: customerExternalId },
    );
  }
  await admin.wallets.topUp(
    { customer_id: "cobalt-freight", top_ups: [{ credit_currency_key: currency, credits: 1_000 }] },
    { idempotencyKey: "top-up" },
  );
}
