import { createClient } from "@creditgate/client";
import type { Fixture } from "@creditgate/control-plane";
import { harbour, openScene, password, type Scene, type Visit } from "./scene.ts";
import { fillUsage } from "./usage-scene.ts";

const wallet = (
  externalId: string,
  name: string,
  available: number,
): NonNullable<Fixture["customers"]>[number] => ({
  externalId,
  name,
  wallets: [{ currency: "ai_credits", kind: "prepaid", available, overageLimit: 10_000 }],
});

const demo: Fixture = {
  ...harbour,
  customers: [
    ...(harbour.customers ?? []).filter(({ externalId }) => externalId !== "hostile"),
    wallet("atlas-law", "Atlas Law", 41_280),
    wallet("ivory-travel", "Ivory Travel", 9_412.25),
    wallet("juniper", "Juniper Labs", 128_004.5),
    wallet("lumen", "Lumen Schools", 73_950),
  ].map((customer) => ({ email: `billing@${customer.externalId}.example`, ...customer })),
};

/** An organisation after ninety days, and its owner. */
export async function openDemo(): Promise<{ readonly scene: Scene; readonly owner: Visit }> {
  const scene = await openScene(demo);
  await fillUsage(scene);
  await pay(scene);
  await use(scene);
  const owner = await scene.open(await scene.invite("mira@harbour.ai", "owner"));
  const { page } = owner;
  await page.getByLabel("Your name").fill("Mira Okafor");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create the account" }).click();
  await page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
  return { scene, owner };
}

async function pay({ admin }: Scene): Promise<void> {
  const orders = [
    ["cobalt-freight", "Starter", 5_000, true],
    ["dovetail", "Plus", 2_000, false],
  ] as const;
  for (const [customer, orderName, credits, paid] of orders) {
    await admin.orders.create(
      {
        customerExternalId: customer,
        orderName,
        startDate: "2026-01-31",
        lineItems: [
          {
            agentId: "chat",
            platformFee: { amount: credits * 9, currency: "EUR" },
            creditBenefits: [{ credit_currency_key: "ai_credits", credits }],
          },
        ],
        paid,
      },
      { idempotencyKey: customer },
    );
  }
  await admin.wallets.topUp(
    { customer_id: "cobalt-freight", top_ups: [{ credit_currency_key: "ai_credits", credits: 25_000 }] },
    { idempotencyKey: "top-up" },
  );
}

/** Two dozen answers of a chat, settled. */
async function use({ plane }: Scene): Promise<void> {
  const { usage } = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
  for (let answer = 0; answer < 24; answer++) {
    await usage.report({
      agentId: "chat",
      indicator: "message",
      customerId: "cobalt-freight",
      rawUsage: {
        provider: "openai",
        model: "gpt-5",
        inputTokens: 900 + ((answer * 577) % 2_400),
        outputTokens: 120 + ((answer * 241) % 900),
      },
    });
  }
  await plane.settled();
}
