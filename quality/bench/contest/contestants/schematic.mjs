import { randomUUID } from "node:crypto";
import { SchematicClient } from "@schematichq/schematic-typescript-node";

const flag = "inference";
const event = "inference_tokens";
/** Credits of a stream, and of a reservation for it. */
const most = 100;

/** @param {import("../../src/contest/contestant.ts").Call} call @param {import("../../src/contest/books.ts").Books} books */
function respond({ path, body }, books) {
  if (path === "/batch") {
    for (const { type, body: tracked, idempotency_key } of body.events) {
      if (type !== "track") continue;
      const quantity = tracked.quantity ?? 1;
      if (tracked.reservation_id === undefined)
        books.bill(tracked.company.id, quantity, idempotency_key ?? randomUUID());
      else books.settle(tracked.reservation_id, quantity);
    }
    return { body: {} };
  }
  const customer = body.company.id;
  const checked = { flag, flag_id: "flag_1", company_id: customer, reason: "credit balance" };
  if (path === `/flags/${flag}/check`)
    return { body: { data: { ...checked, value: books.available(customer) > 0 }, params: {} } };
  if (path !== `/flags/${flag}/check-and-reserve`) return { status: 404, body: { error: path } };
  const id = `rsv_${randomUUID()}`;
  const value = books.hold(customer, id, body.quantity);
  const reservation = {
    id,
    company_id: customer,
    credit_type_id: "credits",
    consumption_rate: 1,
    quantity_reserved: body.quantity,
    credits_reserved: body.quantity,
    event_subtype: event,
    expires_at: body.expires_at,
  };
  return { body: { data: { ...checked, value, ...(value && { reservation }) }, params: {} } };
}

const client = (serviceUrl, options) =>
  new SchematicClient({
    apiKey: "sch_contest",
    basePath: serviceUrl,
    eventCaptureBaseURL: serviceUrl,
    logger: { error() {}, warn() {}, info() {}, debug() {} },
    ...options,
  });

/** @type {import("../../src/contest/contestant.ts").Contestant} */
export const schematic = {
  title: "Schematic: cached flag, track",
  packages: ["@schematichq/schematic-typescript-node"],
  respond,
  mount(app, work) {
    const billing = client(work.serviceUrl);
    const track = (id, quantity) => void billing.track({ event, company: { id }, quantity });
    const check = async (request, response, next) => {
      const company = { id: work.customerOf(request) };
      if (!(await billing.checkFlag({ company }, flag))) return void response.sendStatus(402);
      next();
    };
    app.post("/chat", check, async (request, response) => {
      const answer = await work.answer(request);
      track(work.customerOf(request), 1);
      response.json(answer);
    });
    app.post("/stream", check, async (request, response) => {
      await work.stream(request, response, { onFinish: (tokens) => track(work.customerOf(request), tokens) });
    });
  },
};

/** @type {import("../../src/contest/contestant.ts").Contestant} */
export const schematicReserve = {
  title: "Schematic: check and reserve",
  packages: ["@schematichq/schematic-typescript-node"],
  respond,
  mount(app, work) {
    const billing = client(work.serviceUrl, { creditLeases: { defaultReservationTTL: 60_000 } });
    const reserve = (usage) => async (request, response, next) => {
      const company = { id: work.customerOf(request) };
      const { allowed, reservation } = await billing.check({ company }, flag, { usage, eventSubtype: event });
      if (!allowed) return void response.sendStatus(402);
      response.locals.settle = (tokens) => billing.trackWithReservation(reservation, tokens);
      next();
    };
    app.post("/chat", reserve(1), async (request, response) => {
      const answer = await work.answer(request);
      await response.locals.settle(1);
      response.json(answer);
    });
    app.post("/stream", reserve(most), async (request, response) => {
      await work.stream(request, response, { onFinish: response.locals.settle });
    });
  },
};
