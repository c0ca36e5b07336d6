import { rateLimit } from "express-rate-limit";
import { RateLimiterMemory } from "rate-limiter-flexible";

const hourMs = 3_600_000;
const limitOf = (customer) => (customer.startsWith("small") ? 50 : 1e9);
const respond = () => ({ status: 404, body: {} });

function routes(app, work, limiter) {
  app.post("/chat", limiter, async (request, response) => {
    response.json(await work.answer(request));
  });
  app.post("/stream", limiter, async (request, response) => await work.stream(request, response));
}

/** @type {import("../../src/contest/contestant.ts").Contestant} */
export const expressRateLimit = {
  title: "express-rate-limit",
  packages: ["express-rate-limit"],
  bills: false,
  respond,
  mount(app, work) {
    const keyGenerator = work.customerOf;
    const limit = (request) => limitOf(keyGenerator(request));
    routes(app, work, rateLimit({ windowMs: hourMs, limit, keyGenerator }));
  },
};

/** @type {import("../../src/contest/contestant.ts").Contestant} */
export const rateLimiterFlexible = {
  title: "rate-limiter-flexible",
  packages: ["rate-limiter-flexible"],
  bills: false,
  respond,
  mount(app, work) {
    const duration = hourMs / 1_000;
    const small = new RateLimiterMemory({ keyPrefix: "small", points: 50, duration });
    const large = new RateLimiterMemory({ keyPrefix: "large", points: 1e9, duration });
    routes(app, work, (request, response, next) => {
      const customer = work.customerOf(request);
      const limiter = limitOf(customer) === 50 ? small : large;
      limiter.consume(customer).then(
        () => next(),
        () => response.status(429).send("Too Many Requests"),
      );
    });
  },
};
