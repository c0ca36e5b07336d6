import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdminScene, openAdminScene } from "./admin-scene.ts";

let scene: AdminScene;
beforeAll(async () => {
  scene = await openAdminScene();
});
afterAll(() => scene.plane.stop());

describe("/admin/api/organizations/{id}/currencies", () => {
  it("lists those that were named anywhere, and gives them a name and a price", async () => {
    const path = `${scene.path}/currencies`;
    const keys = ((await scene.admin.get(path)).json.currencies as { creditCurrencyKey: string }[]).map(
      ({ creditCurrencyKey }) => creditCurrencyKey,
    );
    expect(keys).toEqual(["ai_credits", "voice_credits", "yen_credits"]);
    const named = {
      creditCurrencyKey: "new_credits",
      name: "New",
      unitPrice: { amount: "0.25", currency: "EUR" },
    };
    expect(await scene.admin.post(path, named)).toMatchObject({ status: 201, json: named });
    const renamed = await scene.admin.post(path, { creditCurrencyKey: "new_credits", name: "Newer" });
    expect(renamed).toMatchObject({ status: 200, json: { ...named, name: "Newer" } });
    expect(await scene.lastAudit()).toMatchObject({
      action: "currency.set",
      before: { name: "New" },
      after: { name: "Newer" },
    });
  });
});

describe("/admin/api/organizations/{id}/customers", () => {
  it("lists customers with their wallets, in pages, and finds them by what they are called", async () => {
    const path = `${scene.path}/customers`;
    const { json } = await scene.admin.get(`${path}?search=ALI&limit=1`);
    expect(json).toMatchObject({
      next: null,
      customers: [{ externalId: "alice", name: "Alice" }],
    });
    expect((json.customers as { wallets: unknown[] }[])[0]?.wallets).toMatchObject([
      { creditCurrencyKey: "ai_credits", kind: "prepaid", overageLimit: 20 },
      { creditCurrencyKey: "voice_credits", kind: "postpaid", postpaidLimit: 5 },
    ]);
    expect((await scene.admin.get(`${path}?search=%25`)).json.customers).toEqual([]);
    const { status, json: problem } = await scene.admin.get(`${path}?search=%00`);
    expect(status).toBe(400);
    expect(problem.detail).toContain("search: expected text without NUL");
    expect((await scene.admin.get(`${path}?limit=101`)).status).toBe(400);
  });

  it("creates wallets of either kind, once (1: postpaid wallets only here)", async () => {
    const customer = await scene.admin.newCustomer(scene.plane);
    const path = `${scene.path}/customers/${customer}/wallets`;
    const prepaid = { kind: "prepaid", creditCurrencyKey: "ai_credits", overageLimit: 2.5 };
    expect(await scene.admin.post(path, prepaid)).toMatchObject({
      status: 201,
      json: { ...prepaid, available: 0 },
    });
    expect((await scene.admin.post(path, prepaid)).json.code).toBe("wallet_exists");
    const postpaid = { kind: "postpaid", creditCurrencyKey: "voice_credits", postpaidLimit: 7 };
    expect((await scene.admin.post(path, postpaid)).status).toBe(201);
    expect(await scene.wallet(customer, "voice_credits")).toMatchObject({
      postpaid_limit: 7,
      postpaid_used: 0,
    });
    expect((await scene.admin.post(path, { ...postpaid, overageLimit: 1 })).status).toBe(400);
    expect((await scene.admin.post(`${scene.path}/customers/nobody/wallets`, prepaid)).status).toBe(404);
  });

  it("refuses a currency that the organisation does not have, and names those that it has", async () => {
    const customer = await scene.admin.newCustomer(scene.plane);
    const path = `${scene.path}/customers/${customer}/wallets`;
    const misspelt = { kind: "prepaid", creditCurrencyKey: "aicredits" };
    expect(await scene.admin.post(path, misspelt)).toMatchObject({
      status: 422,
      json: {
        code: "currency_unknown",
        detail: expect.stringMatching(
          /^creditCurrencyKey: expected one that exists, received "aicredits"; did you mean "ai_credits"\? \(the organisation has "ai_credits", .*currencies\.set\(\)/,
        ),
      },
    });
    const keys = (
      (await scene.admin.get(`${scene.path}/currencies`)).json.currencies as { creditCurrencyKey: string }[]
    ).map(({ creditCurrencyKey }) => creditCurrencyKey);
    expect(keys).not.toContain("aicredits");
    await scene.admin.post(`${scene.path}/currencies`, { creditCurrencyKey: "aicredits" });
    expect((await scene.admin.post(path, misspelt)).status).toBe(201);
  });

  it("demands the limit of a postpaid wallet, of which 0 is none", async () => {
    const customer = await scene.admin.newCustomer(scene.plane);
    const path = `${scene.path}/customers/${customer}/wallets`;
    const postpaid = { kind: "postpaid", creditCurrencyKey: "ai_credits" };
    const { status, json } = await scene.admin.post(path, postpaid);
    expect(status).toBe(400);
    expect(json.detail).toBe(
      "/postpaidLimit: expected a number of credits, where 0 is no limit, received nothing",
    );
    expect((await scene.admin.post(path, { ...postpaid, postpaidLimit: 0 })).status).toBe(201);
  });

  it("changes the limit that the kind of wallet has", async () => {
    const customer = await scene.admin.newCustomer(scene.plane, {
      creditCurrencyKey: "ai_credits",
      kind: "prepaid",
    });
    const path = `${scene.path}/customers/${customer}/wallets/ai_credits/limits`;
    expect((await scene.admin.post(path, { overageLimit: 12 })).json).toMatchObject({ overageLimit: 12 });
    expect(await scene.wallet(customer)).toMatchObject({ overage_limit: 12 });
    expect(await scene.lastAudit()).toMatchObject({
      action: "wallet.limits",
      subject: { customer, currency: "ai_credits" },
      before: { overageLimit: 0 },
      after: { overageLimit: 12 },
    });
    expect((await scene.admin.post(path, { postpaidLimit: 1 })).json.detail).toContain(
      "since the wallet is prepaid",
    );
    expect((await scene.admin.post(path.replace("ai_", "no_"), {})).json.code).toBe("wallet_unknown");
  });
});

describe("/admin/api/organizations/{id}/wallets", () => {
  const list = async (query: string) => {
    const { json } = await scene.admin.get(`${scene.path}/wallets?${query}`);
    return json.wallets as { customerId: string; creditCurrencyKey: string; state: string }[];
  };

  it("tells how each is: funded, on its credit line, or exhausted, as it changes", async () => {
    const customerId = await scene.admin.newCustomer(scene.plane, {
      creditCurrencyKey: "ai_credits",
      kind: "prepaid",
      overageLimit: 2,
    });
    const path = `${scene.path}/customers/${customerId}/wallets/ai_credits`;
    const state = async () => (await scene.admin.get(path)).json.state;
    const correct = (credits: number) =>
      scene.admin.post(`${scene.path}/corrections`, {
        customerId,
        creditCurrencyKey: "ai_credits",
        credits,
        reason: "Because",
      });
    expect(await state()).toBe("funded");
    await correct(-1);
    expect(await state()).toBe("overage");
    await correct(-1);
    expect(await state()).toBe("exhausted");
    expect(await list(`state=exhausted&customerId=${customerId}`)).toHaveLength(1);
    expect((await scene.admin.post(`${path}/limits`, { overageLimit: 3 })).json.state).toBe("overage");
    await correct(5);
    expect(await list(`state=funded&customerId=${customerId}`)).toMatchObject([{ available: 3 }]);
    await scene.admin.post(`${scene.path}/customers/${customerId}/wallets`, {
      creditCurrencyKey: "voice_credits",
      kind: "postpaid",
      postpaidLimit: 1,
    });
    await scene.admin.post(`${scene.path}/corrections`, {
      customerId,
      creditCurrencyKey: "voice_credits",
      credits: -1,
      reason: "Because",
    });
    expect(await list(`state=exhausted&kind=postpaid&customerId=${customerId}`)).toMatchObject([
      { creditCurrencyKey: "voice_credits", postpaidUsed: 1 },
    ]);
  });

  it("lists them by customer and currency, of a currency, a kind, a state", async () => {
    const all: { customerId: string; creditCurrencyKey: string }[] = [];
    let next: unknown = "";
    while (next !== null) {
      const { json } = await scene.admin.get(
        `${scene.path}/wallets?limit=2${next === "" ? "" : `&cursor=${next}`}`,
      );
      all.push(...(json.wallets as typeof all));
      next = json.next;
    }
    expect(all).toEqual(await list("limit=100"));
    expect(new Set(all.map((wallet) => JSON.stringify(wallet))).size).toBe(all.length);
    const voice = await list("creditCurrencyKey=voice_credits");
    expect(voice).toContainEqual(expect.objectContaining({ customerId: "alice", kind: "postpaid" }));
    expect(new Set(voice.map(({ creditCurrencyKey }) => creditCurrencyKey))).toEqual(
      new Set(["voice_credits"]),
    );
    const { status, json } = await scene.admin.get(`${scene.path}/wallets?status=exhausted`);
    expect([status, json.errors]).toEqual([
      400,
      [{ pointer: "status", detail: "expected no parameter of this name, received it" }],
    ]);
    expect((await scene.admin.get(`${scene.path}/customers/alice/wallets/none`)).json.code).toBe(
      "wallet_unknown",
    );
  });
});

describe("top-ups", () => {
  it("fill wallets in the administrator's name, once per Idempotency-Key", async () => {
    const customerId = await scene.admin.newCustomer(scene.plane, {
      creditCurrencyKey: "ai_credits",
      kind: "prepaid",
    });
    const body = { customer_id: customerId, top_ups: [{ credit_currency_key: "ai_credits", credits: 1.5 }] };
    const headers = { "idempotency-key": "cheque-17" };
    const post = () => scene.admin.post(`${scene.path}/top-ups`, body, headers);
    const answers = await Promise.all([post(), post(), post()]);
    expect(answers.map(({ json }) => json)).toEqual(
      Array.from({ length: 3 }, () => ({
        message: "1 of 1 wallets topped up",
        results: [{ credit_currency_key: "ai_credits", success: true, available: 1.5, pending: 0 }],
      })),
    );
    expect((await scene.wallet(customerId))?.available).toBe(1.5);
    expect(await scene.lastAudit()).toMatchObject({ actor: "admin:test", action: "wallet.top_up" });
    const other = { ...body, customer_id: "nobody" };
    expect((await scene.admin.post(`${scene.path}/top-ups`, other)).json.code).toBe("customer_unknown");
    expect((await scene.admin.post(`${scene.path}/top-ups`, other, headers)).status).toBe(422);
  });
});

describe("a reason for a top-up", () => {
  it("stands in the audit log", async () => {
    const customerId = await scene.admin.newCustomer(scene.plane, {
      creditCurrencyKey: "ai_credits",
      kind: "prepaid",
    });
    const top_ups = [{ credit_currency_key: "ai_credits", credits: 2 }];
    const post = (reason: unknown) =>
      scene.admin.post(`${scene.path}/top-ups`, { customer_id: customerId, top_ups, reason });
    expect((await post("Paid by bank transfer")).status).toBe(200);
    const { action, subject } = await scene.lastAudit();
    expect(action).toBe("wallet.top_up");
    expect(subject).toEqual({ customer: customerId, reason: "Paid by bank transfer" });
    for (const refused of ["", "two\nlines", "x".repeat(257), 7])
      expect((await post(refused)).status).toBe(400);
  });
});

describe("an entry of the ledger", () => {
  it("says what the wallet has after it", async () => {
    const customerId = await scene.admin.newCustomer(scene.plane, {
      creditCurrencyKey: "ai_credits",
      kind: "prepaid",
    });
    for (const credits of [1.5, 2]) {
      const top_ups = [{ credit_currency_key: "ai_credits", credits }];
      await scene.admin.post(`${scene.path}/top-ups`, { customer_id: customerId, top_ups });
    }
    const { json } = await scene.admin.get(`${scene.path}/ledger?customerId=${customerId}`);
    const nothing = { pending: 0, overageUsed: 0, postpaidUsed: 0 };
    expect(json.entries).toMatchObject([
      { available: 2, after: { available: 3.5, ...nothing } },
      { available: 1.5, after: { available: 1.5, ...nothing } },
    ]);
  });
});

describe("refunds and corrections", () => {
  const adjust = async (kind: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    scene.admin.post(
      `${scene.path}/${kind}`,
      { creditCurrencyKey: "ai_credits", reason: "Because", ...body },
      headers,
    );

  it("give credits back as a top-up does, and take them as usage does, each an entry with its reason", async () => {
    const customerId = await scene.admin.newCustomer(scene.plane, {
      creditCurrencyKey: "ai_credits",
      kind: "prepaid",
    });
    expect((await adjust("corrections", { customerId, credits: -3 })).json).toMatchObject({
      overageUsed: 3,
    });
    expect((await adjust("refunds", { customerId, credits: 5 })).json).toMatchObject({
      available: 2,
      overageUsed: 0,
    });
    expect(await scene.lastAudit()).toMatchObject({
      actor: "admin:test",
      action: "wallet.refund",
      subject: { customer: customerId, currency: "ai_credits", reason: "Because" },
      before: { available: 0, overageUsed: 3 },
      after: { available: 2, overageUsed: 0 },
    });
    const path = `${scene.path}/ledger?customerId=${customerId}`;
    const { entries } = (await scene.admin.get(path)).json as { entries: Record<string, unknown>[] };
    expect(entries).toMatchObject([
      { cause: "refund", reason: "Because", available: 2, overageUsed: -3 },
      { cause: "correction", reason: "Because", available: 0, overageUsed: 3 },
    ]);
    const { next } = (await scene.admin.get(`${path}&limit=1`)).json;
    const older = await scene.admin.get(`${path}&limit=1&cursor=${next}`);
    expect(older.json.entries).toEqual([entries[1]]);
  });

  it("take off a postpaid bill at most what is on it", async () => {
    const customerId = await scene.admin.newCustomer(scene.plane, {
      creditCurrencyKey: "ai_credits",
      kind: "postpaid",
      postpaidLimit: 0,
    });
    expect((await adjust("corrections", { customerId, credits: -3 })).json).toMatchObject({
      postpaidUsed: 3,
    });
    expect((await adjust("refunds", { customerId, credits: 4 })).json.code).toBe("more_than_used");
    expect((await adjust("refunds", { customerId, credits: 3 })).json).toMatchObject({ postpaidUsed: 0 });
  });

  it("happen once per Idempotency-Key", async () => {
    const customerId = await scene.admin.newCustomer(scene.plane, {
      creditCurrencyKey: "ai_credits",
      kind: "prepaid",
    });
    const headers = { "idempotency-key": "refund-1" };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => adjust("refunds", { customerId, credits: 1 }, headers)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await scene.wallet(customerId))?.available).toBe(1);
  });

  it.each([
    ["refunds", { customerId: "alice", credits: -1 }, 400],
    ["corrections", { customerId: "alice", credits: 0 }, 400],
    ["corrections", { customerId: "alice", credits: 1e-7 }, 400],
    ["refunds", { customerId: "alice", credits: 1, reason: "" }, 400],
    ["refunds", { customerId: "nobody", credits: 1 }, 404],
    ["refunds", { customerId: "bob", credits: 1 }, 404],
  ])("refuse %s of %j: %d", async (kind, body, status) => {
    expect((await adjust(kind, body)).status).toBe(status);
  });
});
