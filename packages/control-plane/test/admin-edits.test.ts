import { adminEndpoints } from "@creditgate/admin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { adminTable } from "../src/admin/table.ts";
import type { Received } from "./caller.ts";
import { type Browser, openPeopleScene, type PeopleScene } from "./people-scene.ts";

type Name = keyof typeof adminTable;
type Json = Record<string, unknown>;

let scene: PeopleScene;
let browser: Browser;
let organizationId: string;
let endpointId: string;
let userId: string;

/** A record that people edit: how it is read, and two values of each field that an edit takes. */
interface EditedRecord {
  /** The path of the edit below that of the organisation; one with a leading slash is below `/admin/api`. */
  readonly path: () => string;
  readonly read: () => Promise<Json>;
  readonly values: Readonly<Record<string, readonly [unknown, unknown]>>;
  /** What the edit has to have beside its fields. */
  readonly fixed?: Json;
  /** The field that changes where an edit makes another version. */
  readonly shown?: string;
}

const found = async (path: string, list: string, is: (one: Json) => boolean): Promise<Json> => {
  const { json } = await scene.admin.get(path);
  const one = (json[list] as Json[]).find(is);
  if (one === undefined) throw new Error(`${path}: not there`);
  return one;
};
const newest = async (path: string, list: string): Promise<Json> => {
  const { json } = await scene.admin.get(path);
  return (
    (json[list] as (Json & { version: number })[]).toSorted((one, other) => other.version - one.version)[0] ??
    {}
  );
};

const records: Partial<Record<Name, EditedRecord>> = {
  agentEdit: {
    path: () => "agents/chat",
    read: async () => (await scene.admin.get(`${scene.path}/agents/chat`)).json,
    values: {
      agentName: ["Chat", "Chats"],
      agentDescription: ["One", "Two"],
      agentType: ["chat", "voice"],
    },
  },
  currencySet: {
    path: () => "currencies",
    read: () =>
      found(`${scene.path}/currencies`, "currencies", (one) => one.creditCurrencyKey === "ai_credits"),
    fixed: { creditCurrencyKey: "ai_credits" },
    values: {
      name: ["AI", "Credits"],
      unitPrice: [
        { amount: "1", currency: "EUR" },
        { amount: "2", currency: "EUR" },
      ],
    },
  },
  customerEdit: {
    path: () => "customers/alice",
    read: async () => (await scene.admin.get(`${scene.path}/customers/alice`)).json,
    values: {
      name: ["Alice", "Alicia"],
      email: ["alice@example.com", "a@example.com"],
      country: ["NL", "PT"],
      city: ["Delft", "Porto"],
      addressLines: [["Street 1"], ["Street 2"]],
      taxId: ["NL1", "PT1"],
      locale: ["nl-NL", "pt"],
    },
  },
  walletLimits: {
    path: () => "customers/alice/wallets/ai_credits/limits",
    read: async () => (await scene.admin.get(`${scene.path}/customers/alice/wallets/ai_credits`)).json,
    values: {
      lowThreshold: [3, 4],
      overageLimit: [10, 20],
      autoTopUp: [{ below: 1, credits: 5, price: { amount: 100, currency: "EUR" }, maxPerPeriod: 3 }, null],
    },
  },
  budgetSet: {
    path: () => "customers/alice/wallets/ai_credits/budgets/member:42",
    read: async () =>
      (await scene.admin.get(`${scene.path}/customers/alice/wallets/ai_credits/budgets/member:42`)).json,
    values: {
      limit: [10, 20],
      every: ["day", null],
      timeZone: ["Europe/Lisbon", "Europe/Amsterdam"],
      warnAt: [5, null],
      mode: ["warn", "enforce"],
    },
  },
  budgetDefaultSet: {
    path: () => "budget-defaults/ai_credits/member:*",
    read: () => found(`${scene.path}/budget-defaults`, "budgets", (one) => one.key === "member:*"),
    values: {
      limit: [10, 20],
      every: ["day", null],
      timeZone: ["Europe/Lisbon", "Europe/Amsterdam"],
      warnAt: [5, null],
      mode: ["warn", "enforce"],
    },
  },
  webhookEdit: {
    path: () => `webhook-endpoints/${endpointId}`,
    read: () => found(`${scene.path}/webhook-endpoints`, "endpoints", (one) => one.endpointId === endpointId),
    values: {
      url: ["https://example.com/a", "https://example.com/b"],
      description: ["One", "Two"],
      events: [["wallet.low"], null],
      status: ["disabled", "enabled"],
    },
  },
  memberEdit: {
    path: () => `members/${userId}`,
    read: () => found(`${scene.path}/members`, "members", (one) => one.userId === userId),
    values: { roles: [["keys"], ["money"]] },
  },
  userEdit: {
    path: () => `/users/${userId}`,
    read: () => found("/users", "users", (one) => one.userId === userId),
    values: { operator: [true, false], disabled: [true, false] },
  },
  organizationSettings: {
    path: () => "settings",
    read: () => found("/organizations", "organizations", (one) => one.organizationId === organizationId),
    values: {
      billingPeriod: ["weekly", "monthly"],
      billingAnchor: [2, 3],
      timeZone: ["Europe/Lisbon", "Europe/Amsterdam"],
      lowThreshold: [5, 6],
      usageKeptMonths: [12, 13],
      answersKeptMonths: [12, 13],
      auditKeptMonths: [12, 13],
      ledgerKeptMonths: [12, 13],
    },
  },
  limitSet: {
    path: () => "limits",
    read: async () => (await scene.admin.get(`${scene.path}/limits`)).json,
    values: Object.fromEntries(
      Object.keys(
        z
          .object({ properties: z.looseObject({}) })
          .parse(z.toJSONSchema(adminTable.limitSet.body?.schema ?? z.never())).properties,
      )
        .filter((name) => name !== "etag")
        .map((name): [string, [unknown, unknown]] => [name, [500, null]]),
    ),
  },
  priceSet: {
    path: () => "agents/chat/indicators/message/prices",
    read: () => newest(`${scene.path}/agents/chat/indicators/message/prices?limit=100`, "prices"),
    fixed: { billing: "CREDITS", currency: "ai_credits" },
    values: { price: [{ perEvent: 7 }, { perEvent: 8 }] },
    shown: "version",
  },
  issuerSet: {
    path: () => "issuers",
    read: () => newest(`${scene.path}/issuers?limit=100`, "issuers"),
    fixed: { addressLines: ["Street 1"] },
    values: { legalName: ["Acme B.V.", "Acme Lda."] },
    shown: "version",
  },
};

beforeAll(async () => {
  scene = await openPeopleScene();
  organizationId = scene.path.replace("/organizations/", "");
  browser = await scene.member("mira@example.com", "owner");
  await scene.member("jonas@example.com", "read");
  const isJonas = ({ email }: Json) => email === "jonas@example.com";
  userId = String((await found(`${scene.path}/members`, "members", isJonas)).userId);
  await scene.admin.post(`${scene.path}/customers/alice/wallets/ai_credits/budgets/member:42`, { limit: 1 });
  const created = await scene.admin.post(`${scene.path}/webhook-endpoints`, { url: "https://example.com/" });
  endpointId = String(created.json.endpointId);
  await scene.admin.post(`${scene.path}/issuers`, { legalName: "Acme", addressLines: ["Street 1"] });
});
afterAll(() => scene.plane.stop());

const post = ({ path }: EditedRecord, body: Json): Promise<Received> => {
  const below = path();
  return scene.admin.post(below.startsWith("/") ? below : `${scene.path}/${below}`, body);
};

const cases = Object.entries(records).flatMap(([name, record]) =>
  Object.entries(record.values).map(([field, values]) => ({ name, field, record, values })),
);

/** Operations that only add, end or ask for something: none sets what a person has seen. */
const others: readonly string[] = [
  ...(["organizationCreate", "apiKeyCreate", "agentCreate", "indicatorCreate", "customerCreate"] as const),
  ...(["walletCreate", "adminOrderCreate", "creditNoteCreate", "webhookCreate"] as const),
  ...(["invitationCreate", "operatorInvite", "userTokenCreate", "adminTopUp", "walletRefund"] as const),
  ...(["walletCorrection", "periodClose", "apiKeyRotate", "apiKeyRevoke", "customerErase"] as const),
  ...(["adminOrderCancel", "adminInvoiceMarkPaid", "adminInvoiceVoid", "webhookDelete"] as const),
  ...(["webhookRotate", "webhookTest", "webhookReplay", "usageResettle", "voiceSessionClose"] as const),
  ...(["voiceSessionExpire", "gateRetry", "memberRemove", "invitationRevoke", "userLink"] as const),
  ...(["signIn", "linkRead", "linkUse", "signOut", "signOutEverywhere", "passwordChange"] as const),
  ...(["userTokenRevoke", "operatorInvitationRevoke", "budgetReset", "budgetDelete"] as const),
  "budgetDefaultDelete",
  ...(["grantCreate", "grantExtend", "grantVoid"] as const),
  ...(["allowanceCreate", "allowanceChange", "allowanceEnd"] as const),
];

describe("an edit", () => {
  it("is each operation that sets what a person has seen, and has an etag", () => {
    const posting = Object.values(adminEndpoints).filter(({ method }) => method === "POST");
    const edits = posting.map(({ name }) => name).filter((name) => !others.includes(name));
    expect(edits.toSorted()).toEqual(Object.keys(records).toSorted());
    for (const [name, { values }] of Object.entries(records)) {
      const { body } = adminTable[name as "agentEdit"];
      const { properties } = z
        .object({ properties: z.looseObject({ etag: z.unknown() }) })
        .parse(z.toJSONSchema(body?.schema ?? z.never(), { io: "input", unrepresentable: "any" }));
      expect(properties, name).toHaveProperty("etag");
      const fields = Object.keys(properties).filter((field) => field !== "etag");
      // Those of a version are one thing; of the wallets, one is prepaid.
      if (records[name as Name]?.shown !== undefined) continue;
      const fixed = Object.keys(records[name as Name]?.fixed ?? {});
      expect([...Object.keys(values), ...fixed].toSorted(), name).toEqual(
        fields.filter((field) => field !== "postpaidLimit").toSorted(),
      );
    }
  });

  it.each(cases)(
    "of $name: $field is kept from one who has not seen it",
    async ({ field, record, values }) => {
      const { fixed, shown = field } = record;
      expect((await post(record, { ...fixed, [field]: values[0] })).status).toBeLessThan(300);
      const { etag } = await record.read();
      // The other's edit, also under the etag.
      scene.clock.time += 60_000;
      const at = new Date(scene.clock.time).toISOString();
      expect((await post(record, { ...fixed, [field]: values[1], etag })).status).toBeLessThan(300);
      const after = await record.read();
      expect(after.etag).not.toBe(etag);
      scene.clock.time += 60_000;
      const refused = await post(record, { ...fixed, [field]: values[0], etag });
      expect(refused).toMatchObject({
        status: 409,
        json: {
          code: "edit_conflict",
          detail: expect.stringContaining(`admin:test changed ${shown} at ${at}`),
          conflict: { edits: [{ by: "admin:test", at, fields: [shown] }], current: after },
        },
      });
      expect(await record.read()).toEqual(after);
      const again = await post(record, { ...fixed, [field]: values[0], etag: after.etag });
      expect(again.status).toBeLessThan(300);
    },
  );

  it("without an etag replaces the fields that it has, and no others", async () => {
    const record = records.walletLimits as EditedRecord;
    await post(record, { overageLimit: 1_000, lowThreshold: 1 });
    await Promise.all([post(record, { overageLimit: 0 }), post(record, { lowThreshold: 3 })]);
    expect(await record.read()).toMatchObject({ overageLimit: 0, lowThreshold: 3 });
  });

  it("names each person who has changed something, the newest first", async () => {
    const record = records.customerEdit as EditedRecord;
    const { etag } = await record.read();
    scene.clock.time += 60_000;
    await browser.post(`${scene.path}/customers/alice`, { city: "Faro", name: "Alice B." });
    scene.clock.time += 60_000;
    await post(record, { city: "Braga", country: "ES" });
    const { json } = await browser.post(`${scene.path}/customers/alice`, { taxId: "PT9", etag });
    expect(json.conflict).toMatchObject({
      edits: [
        { by: "admin:test", fields: ["country", "city"] },
        { by: "user:mira@example.com", fields: ["name"] },
      ],
      current: { name: "Alice B.", city: "Braga", taxId: expect.not.stringMatching("PT9") },
    });
  });

  it("is not refused for what usage and money do to a wallet", async () => {
    const record = records.walletLimits as EditedRecord;
    const { etag } = await record.read();
    const topUp = { customer_id: "alice", top_ups: [{ credit_currency_key: "ai_credits", credits: 5 }] };
    expect((await scene.admin.post(`${scene.path}/top-ups`, topUp)).status).toBeLessThan(300);
    expect((await record.read()).etag).toBe(etag);
  });

  it("is one of two that are made at once from the same record", async () => {
    const record = records.walletLimits as EditedRecord;
    const { etag } = await record.read();
    const made = await Promise.all(
      [31, 32, 33, 34].map((overageLimit) => post(record, { overageLimit, etag })),
    );
    expect(made.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  });

  it("is refused with an etag that the service has never given", async () => {
    const record = records.walletLimits as EditedRecord;
    const { status, json } = await post(record, { overageLimit: 1, etag: "W/1" });
    expect([status, json.code]).toEqual([409, "edit_conflict"]);
    expect((await post(record, { overageLimit: 1, etag: "x".repeat(257) })).status).toBe(400);
  });

  it("leaves no etag in the audit log", async () => {
    expect(JSON.stringify(await scene.audit(100))).not.toContain('"etag"');
  });
});
