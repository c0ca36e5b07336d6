import { randomUUID } from "node:crypto";
import { Ingestion } from "@polar-sh/ingestion";
import { LLMStrategy } from "@polar-sh/ingestion/strategies/LLM";
import { Polar } from "@polar-sh/sdk";

const epoch = "2026-01-01T00:00:00Z";
const ofThisDay = { created_at: epoch, modified_at: null };

/** @param {import("../../src/contest/contestant.ts").Call} call @param {import("../../src/contest/books.ts").Books} books */
function respond({ path, body }, books) {
  if (path.startsWith("/v1/events/ingest")) {
    for (const { external_customer_id, metadata } of body.events)
      books.bill(external_customer_id, metadata.outputTokens, randomUUID());
    return { body: { inserted: body.events.length, duplicates: 0 } };
  }
  const customer = decodeURIComponent(path.split("/")[4]);
  const balance = books.available(customer);
  const credited = books.granted(customer);
  return {
    body: {
      ...ofThisDay,
      id: customer,
      external_id: customer,
      type: "individual",
      metadata: {},
      email: "customer@example.com",
      email_verified: true,
      name: null,
      billing_name: null,
      billing_address: null,
      tax_id: null,
      organization_id: "contest",
      deleted_at: null,
      avatar_url: null,
      active_subscriptions: [],
      granted_benefits: [],
      active_meters: [
        {
          ...ofThisDay,
          id: "meter",
          meter_id: "tokens",
          consumed_units: credited - balance,
          credited_units: credited,
          balance,
        },
      ],
    },
  };
}

/** @type {import("../../src/contest/contestant.ts").Contestant} */
export const polar = {
  title: "Polar: customer state, ingestion",
  packages: ["@polar-sh/sdk", "@polar-sh/ingestion"],
  respond,
  mount(app, work) {
    const config = { accessToken: "polar_oat_contest", serverURL: work.serviceUrl };
    const billing = new Polar(config);
    const check = async (request, response, next) => {
      const externalId = work.customerOf(request);
      const { activeMeters } = await billing.customers.getStateExternal({ externalId });
      if (!activeMeters.some(({ meterId, balance }) => meterId === "tokens" && balance > 0))
        return void response.sendStatus(402);
      next();
    };
    app.post("/chat", check, async (request, response) => {
      const answer = await work.answer(request);
      const externalCustomerId = work.customerOf(request);
      await billing.events.ingest({
        events: [{ name: "tokens", externalCustomerId, metadata: { outputTokens: 1 } }],
      });
      response.json(answer);
    });
    app.post("/stream", check, async (request, response) => {
      const ingestion = Ingestion(config)
        .strategy(new LLMStrategy(work.model(request)))
        .ingest("tokens");
      const model = ingestion.client({ externalCustomerId: work.customerOf(request) });
      await work.stream(request, response, { model });
    });
  },
};
