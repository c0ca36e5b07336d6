import { type DenialCode, type Gate, gatedResponse } from "@creditgate/core";
import { line } from "./contract-lines.ts";
import { freeOfCharge } from "./free-of-charge.ts";
import type { AdapterMutant } from "./mutant.ts";
import { type Admitted, type Denied, type WebParts, webAdapter } from "./web-adapter.ts";

const letIn: Admitted = {
  admitted: true,
  credits: freeOfCharge,
  end: async () => {},
  left: async () => {},
};

/** Denials that are answered so. */
function answering(
  answer: (response: Response, denial: Denied["denial"]) => Response,
): () => Partial<WebParts> {
  return () => ({
    denied: (denied) => ({
      ...denied,
      toResponse: (request) => answer(denied.toResponse(request), denied.denial),
    }),
  });
}

/** Denials without this header. */
function withoutHeader(name: string): () => Partial<WebParts> {
  return answering((response) => {
    response.headers.delete(name);
    return response;
  });
}

function lettingIn(...codes: readonly DenialCode[]): () => Partial<WebParts> {
  return () => ({ denied: (denied) => (codes.includes(denied.denial.code) ? letIn : denied) });
}

/** The gate, each of whose decisions is this. */
function deciding(gate: Gate, authorize: Gate["authorize"]): Gate {
  return {
    closing: false,
    authorize,
    check: (expected) => gate.check(expected),
    standing: (customer) => gate.standing(customer),
    on: (name, listener) => gate.on(name, listener),
    flush: (options) => gate.flush(options),
    close: (options) => gate.close(options),
  };
}

/** The gate, which such requests go around. */
function skipping(free: (request: Request) => boolean): () => Partial<WebParts> {
  return () => ({ options: (options) => ({ ...options, skip: free }) });
}

/** Adapters that let in whom they should not, or turn away otherwise than they should. */
export const admissionMutants: readonly AdapterMutant[] = [
  {
    name: "denies with 403",
    start: webAdapter(answering(({ body, headers }) => new Response(body, { status: 403, headers }))),
    never: true,
    breaks: [
      line.many,
      line.cannotPay,
      line.unknown,
      line.nobody,
      line.unreadable,
      line.page,
      line.deniesHead,
      line.topUp,
      line.methodsDenied,
      line.leftHeld,
    ],
  },
  {
    name: "denies everything with 402",
    start: webAdapter(answering(({ body, headers }) => new Response(body, { status: 402, headers }))),
    breaks: [line.nobody, line.unreadable, line.methodsDenied],
  },
  {
    name: "denies with JSON that is not problem+json",
    start: webAdapter(
      answering((response) => {
        response.headers.set("content-type", "application/json");
        return response;
      }),
    ),
    breaks: [line.cannotPay, line.page, line.deniesHead],
  },
  {
    name: "denies in text",
    start: webAdapter(withoutHeader("content-type")),
    breaks: [line.cannotPay, line.page, line.deniesHead],
  },
  {
    name: "lets caches keep denials",
    start: webAdapter(withoutHeader("cache-control")),
    breaks: [line.cannotPay],
  },
  {
    name: "denies without Retry-After",
    start: webAdapter(withoutHeader("retry-after")),
    breaks: [line.unreadable],
  },
  {
    name: "denies with Retry-After always",
    start: webAdapter(
      answering((response) => {
        response.headers.set("retry-after", "1");
        return response;
      }),
    ),
    breaks: [line.cannotPay],
  },
  {
    name: "denies with the denial as it is in the program",
    start: webAdapter(
      answering(({ status, headers }, denial) => new Response(JSON.stringify(denial), { status, headers })),
    ),
    breaks: [line.cannotPay, line.page],
  },
  {
    name: "has no page for a browser",
    start: webAdapter(() => ({ denied: (denied) => ({ ...denied, toResponse: () => denied.toResponse() }) })),
    breaks: [line.page],
  },
  {
    name: "remembers whom it has denied",
    start: webAdapter(() => {
      const denials = new Map<string | null, Denied>();
      return {
        denied(denied, { request }) {
          const customer = request.headers.get("x-customer");
          if (customer !== null) denials.set(customer, denied);
          return denied;
        },
        admitted(admission, { request }) {
          const denied = denials.get(request.headers.get("x-customer"));
          if (denied === undefined) return admission;
          admission.credits.release();
          return denied;
        },
      };
    }),
    breaks: [line.topUp, line.leftHeld],
  },
  {
    name: "lets in whom the service does not know",
    start: webAdapter(lettingIn("customer_unknown")),
    breaks: [line.unknown],
  },
  {
    name: "lets in while the balance cannot be read",
    start: webAdapter(lettingIn("upstream_unavailable", "upstream_invalid")),
    breaks: [line.unreadable],
  },
  {
    name: "lets in nobody, as a customer of its own making",
    start: webAdapter(() => ({
      options: (options) => ({
        ...options,
        customer: async (request) => {
          const { customer } = options;
          return (typeof customer === "function" ? await customer(request) : customer) ?? "anonymous";
        },
      }),
    })),
    breaks: [line.nobody, line.observesNobody, line.methodsDenied],
  },
  {
    name: "lets in when a resolver throws",
    start: webAdapter(() => ({
      life: (gated, handle) =>
        gatedResponse({ ...gated, admission: gated.admission.catch(() => letIn) }, handle),
    })),
    breaks: [line.resolverThrows, line.whoseError],
  },
  {
    name: "answers 401 itself, also where the gate only observes",
    start: webAdapter(() => ({
      admitted: (admission, { request }) => {
        if (request.headers.has("x-customer")) return admission;
        const toResponse = () => new Response(null, { status: 401 });
        const denial = { code: "customer_unresolved", status: 401, title: "", currency: "" } as const;
        return { admitted: false, denial: { ...denial, required: 0, retryable: false }, toResponse };
      },
    })),
    breaks: [line.observesNobody],
  },
  {
    name: "denies where the gate only observes",
    start: webAdapter(() => ({
      gate: (gate) =>
        deciding(gate, async (request) => {
          const decision = await gate.authorize(request);
          if (!decision.allowed || decision.observed === undefined) return decision;
          const { observed: denial, trace } = decision;
          const toResponse = () => new Response(null, { status: denial.status });
          return { allowed: false, denial, trace, toResponse };
        }),
    })),
    breaks: [line.observes, line.observesNobody],
  },
  {
    name: "looks whether the wallet can pay, and holds next to nothing",
    start: webAdapter(() => ({
      gate: (gate) =>
        deciding(gate, async (request) => {
          const least = await gate.authorize({ ...request, hold: 1e-6 });
          const standing = await gate.standing(request.customerId ?? "");
          if (least.trace.mode === "observe" || !least.allowed || standing?.capacity === undefined)
            return least;
          if (standing.capacity >= request.hold) return least;
          least.charge.release();
          return gate.authorize(request);
        }),
    })),
    never: true,
    breaks: [
      line.many,
      line.holdsStream,
      line.methodsBilled,
      line.leftHeld,
      line.leftOnce,
      line.leftAgain,
      line.leftSeen,
    ],
  },
  {
    name: "holds the same for every request",
    start: webAdapter(() => ({ options: (options) => ({ ...options, hold: 5 }) })),
    never: true,
    breaks: [
      line.many,
      line.cannotPay,
      line.page,
      line.deniesHead,
      line.methodsDenied,
      line.tricks,
      line.spellings,
      line.leftHeld,
      line.leftOnce,
      line.leftAgain,
    ],
  },
  {
    name: "takes OPTIONS for free",
    start: webAdapter(skipping(({ method }) => method === "OPTIONS")),
    never: true,
    breaks: [line.methodsDenied, line.methodsBilled],
  },
  {
    name: "takes HEAD for free",
    start: webAdapter(skipping(({ method }) => method === "HEAD")),
    never: true,
    breaks: [line.head, line.deniesHead, line.methodsDenied, line.methodsBilled],
  },
  {
    name: "gates only what has a body",
    start: webAdapter(skipping(({ method, headers }) => method !== "POST" && !headers.has("content-length"))),
    never: true,
    breaks: [
      line.whoseError,
      line.head,
      line.page,
      line.deniesHead,
      line.methodsDenied,
      line.methodsBilled,
      line.tricks,
      line.spellings,
    ],
  },
  {
    name: "believes a header that says what the method is",
    start: webAdapter(skipping(({ headers }) => headers.get("x-http-method-override") === "OPTIONS")),
    breaks: [line.tricks],
  },
  {
    name: "believes a header that says that it has looked before",
    start: webAdapter(skipping(({ headers }) => headers.has("x-middleware-subrequest"))),
    breaks: [line.tricks],
  },
  {
    name: "gates the path as it is written, and routes by what it means",
    start: webAdapter(skipping(({ url }) => !/^\/\w+$/.test(new URL(url).pathname))),
    breaks: [line.spellings],
  },
];
