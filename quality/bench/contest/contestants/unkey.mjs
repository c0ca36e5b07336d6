import { Unkey } from "@unkey/api";

/** @type {import("../../src/contest/contestant.ts").Contestant} */
export const unkey = {
  title: "Unkey: credits of a key",
  packages: ["@unkey/api"],
  respond({ body }, books) {
    const valid = books.pay(body.key, body.credits?.cost ?? 1);
    return {
      body: {
        meta: { requestId: "req_contest" },
        data: {
          valid,
          code: valid ? "VALID" : "USAGE_EXCEEDED",
          keyId: body.key,
          credits: Math.floor(books.available(body.key)),
          enabled: true,
        },
      },
    };
  },
  mount(app, work) {
    const billing = new Unkey({ rootKey: "unkey_contest", serverURL: work.serviceUrl });
    const verify = (cost) => async (request, response, next) => {
      const { data } = await billing.keys.verifyKey({ key: work.customerOf(request), credits: { cost } });
      if (!data.valid) return void response.sendStatus(402);
      next();
    };
    app.post("/chat", verify(1), async (request, response) => {
      response.json(await work.answer(request));
    });
    // The cost is fixed before the stream.
    app.post("/stream", verify(100), async (request, response) => await work.stream(request, response));
  },
};
