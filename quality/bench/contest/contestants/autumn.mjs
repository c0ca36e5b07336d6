import { randomUUID } from "node:crypto";
import { Autumn } from "autumn-js";

const featureId = "ai-tokens";

/** @param {import("../../src/contest/contestant.ts").Call} call @param {import("../../src/contest/books.ts").Books} books */
function respond({ path, body }, books) {
  const customer = body.customer_id;
  const balance = () => ({
    feature_id: featureId,
    granted: books.granted(customer),
    remaining: books.available(customer),
    usage: books.granted(customer) - books.available(customer),
    unlimited: false,
    overage_allowed: false,
    max_purchase: null,
    next_reset_at: null,
  });
  switch (path) {
    case "/v1/balances.check": {
      const credits = body.required_balance ?? 1;
      const allowed = body.lock
        ? books.hold(customer, body.lock.lock_id, credits)
        : books.available(customer) >= credits;
      return {
        body: { allowed, customer_id: customer, required_balance: credits, balance: balance(), flag: null },
      };
    }
    case "/v1/balances.track":
      books.bill(customer, body.value, randomUUID());
      return { body: { customer_id: customer, value: body.value, balance: balance() } };
    case "/v1/balances.finalize":
      books.settle(body.lock_id, body.action === "release" ? 0 : body.override_value);
      return { body: { success: true } };
    default:
      return { status: 404, body: { message: path, code: "not_found" } };
  }
}

/** @type {import("../../src/contest/contestant.ts").Contestant} */
export const autumn = {
  title: "Autumn: check, track",
  packages: ["autumn-js"],
  respond,
  mount(app, work) {
    const billing = new Autumn({ secretKey: "am_sk_contest", serverURL: work.serviceUrl });
    const track = (customerId, value) => billing.track({ customerId, featureId, value });
    const check = (requiredBalance) => async (request, response, next) => {
      const customerId = work.customerOf(request);
      const { allowed } = await billing.check({ customerId, featureId, requiredBalance });
      if (!allowed) return void response.sendStatus(402);
      next();
    };
    app.post("/chat", check(1), async (request, response) => {
      const answer = await work.answer(request);
      await track(work.customerOf(request), 1);
      response.json(answer);
    });
    app.post("/stream", check(100), async (request, response) => {
      const onFinish = (tokens) => track(work.customerOf(request), tokens).catch(() => undefined);
      await work.stream(request, response, { onFinish });
    });
  },
};

/** @type {import("../../src/contest/contestant.ts").Contestant} */
export const autumnLock = {
  title: "Autumn: lock, finalize",
  packages: ["autumn-js"],
  respond,
  mount(app, work) {
    const billing = new Autumn({ secretKey: "am_sk_contest", serverURL: work.serviceUrl });
    const finalize = (lockId, overrideValue) =>
      billing.balances.finalize({ lockId, action: "confirm", overrideValue });
    const lock = (requiredBalance) => async (request, response, next) => {
      const lockId = `completion_${randomUUID()}`;
      const { allowed } = await billing.check({
        customerId: work.customerOf(request),
        featureId,
        requiredBalance,
        sendEvent: true,
        lock: { enabled: true, lockId, expiresAt: Date.now() + 60_000 },
      });
      if (!allowed) return void response.sendStatus(402);
      response.locals.lockId = lockId;
      next();
    };
    app.post("/chat", lock(1), async (request, response) => {
      const answer = await work.answer(request);
      await finalize(response.locals.lockId, 1);
      response.json(answer);
    });
    app.post("/stream", lock(100), async (request, response) => {
      const onFinish = (tokens) => finalize(response.locals.lockId, tokens).catch(() => undefined);
      await work.stream(request, response, { onFinish });
    });
  },
};
