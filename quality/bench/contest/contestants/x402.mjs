import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { UptoEvmScheme } from "@x402/evm/upto/server";
import { paymentMiddleware, setSettlementOverrides, x402ResourceServer } from "@x402/express";

const network = "eip155:84532";
const payTo = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
/** The smallest units of USDC in a credit: $0.001. */
const unitsPerCredit = 1_000;
const creditsOf = ({ amount }) => Number(amount) / unitsPerCredit;
const payerOf = ({ paymentPayload }) => paymentPayload.payload.customer;

/** What the facilitator offers, and therefore what a client signs for. */
const kinds = [
  { x402Version: 2, scheme: "exact", network },
  { x402Version: 2, scheme: "upto", network, extra: { facilitatorAddress: payTo } },
];
/** The requirements of each path, as the 402 of the application names them: filled in when it starts. */
const accepted = new Map();

/** @type {import("../../src/contest/contestant.ts").Contestant} */
export const x402 = {
  title: "x402: exact, upto",
  packages: ["@x402/express", "@x402/evm"],
  respond({ path, body }, books) {
    if (path === "/supported") return { body: { kinds, extensions: [], signers: {} } };
    const payer = payerOf(body);
    const credits = creditsOf(body.paymentRequirements);
    if (path === "/verify") {
      const isValid = books.available(payer) >= credits;
      return { body: { isValid, payer, ...(!isValid && { invalidReason: "insufficient_funds" }) } };
    }
    const success = books.pay(payer, credits);
    const settled = { success, payer, network, transaction: success ? "0x1" : "" };
    return { body: { ...settled, ...(!success && { errorReason: "insufficient_funds" }) } };
  },
  mount(app, work) {
    const facilitator = new HTTPFacilitatorClient({ url: work.serviceUrl });
    const server = new x402ResourceServer(facilitator)
      .register(network, new ExactEvmScheme())
      .register(network, new UptoEvmScheme());
    const routes = {
      "POST /chat": { accepts: { scheme: "exact", price: "$0.001", network, payTo } },
      "POST /stream": { accepts: { scheme: "upto", price: "$0.10", network, payTo } },
    };
    app.use(paymentMiddleware(routes, server));
    app.post("/chat", async (request, response) => {
      response.json(await work.answer(request));
    });
    app.post("/stream", async (request, response) => {
      const onFinish = (tokens) =>
        setSettlementOverrides(response, { amount: String(tokens * unitsPerCredit) });
      await work.stream(request, response, { onFinish });
    });
  },
  // The client pays for what the 402 asked: a payment without a signature, since the facilitator is ours.
  async learn(url) {
    for (const path of ["/chat", "/stream"]) {
      const response = await fetch(url + path, { method: "POST" });
      const required = JSON.parse(
        Buffer.from(response.headers.get("payment-required") ?? "", "base64").toString(),
      );
      accepted.set(path, { resource: required.resource, accepted: required.accepts[0] });
    }
  },
  headers(customer, path) {
    const payment = { x402Version: 2, ...accepted.get(path), payload: { customer } };
    return { "payment-signature": Buffer.from(JSON.stringify(payment)).toString("base64") };
  },
};
