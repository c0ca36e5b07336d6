import type { DenialCode, Gate } from "@creditgate/core";
import { gatedResponse } from "@creditgate/core/adapter";
import { freeOfCharge } from "./free-of-charge.ts";
import type { AdapterMutant } from "./mutant.ts";
import { type Admitted, type Denied, type WebParts, webAdapter } from "./web-adapter.ts";

const letIn: Admitted = {
  admitted: true,
  credits: freeOfCharge,
  end: async () => {},
  disconnect: async () => {},
  unread: () => () => {},
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
    balance: (customer) => gate.balance(customer),
    refresh: (customer) => gate.refresh(customer),
    on: (name, listener) => gate.on(name, listener),
    status: () => gate.status(),
    retry: (ids) => gate.retry(ids),
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
    name: "lets caches keep denials",
    adapter: webAdapter(withoutHeader("cache-control")),
    breaks: ["answers 402 before the handler, as problem+json that is not to be cached"],
  },
  {
    name: "lets in whom the service does not know",
    adapter: webAdapter(lettingIn("customer_unknown")),
    breaks: ["answers 402 for a customer that the service does not know"],
  },
  {
    name: "lets in nobody, as a customer of its own making",
    adapter: webAdapter(() => ({
      options: (options) => ({
        ...options,
        customer: async (request) => {
          const { customer } = options;
          return (typeof customer === "function" ? await customer(request) : customer) ?? "anonymous";
        },
      }),
    })),
    breaks: ["answers 401 where there is no customer"],
  },
  {
    name: "denies without Retry-After",
    adapter: webAdapter(withoutHeader("retry-after")),
    breaks: ["answers 503 with Retry-After while the balance cannot be read"],
  },
  {
    name: "remembers whom it has denied",
    adapter: webAdapter(() => {
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
    breaks: ["serves the very next request after a top-up"],
  },
  {
    name: "gates other work than its options name",
    adapter: webAdapter(() => ({ options: (options) => ({ ...options, agentId: "another" }) })),
    breaks: [
      "holds and bills once the work of a request that two gates let in",
      "bills defaultUsage once for a request that two gates let in",
    ],
  },
  {
    name: "lets in when a resolver throws",
    adapter: webAdapter(() => ({
      life: (gated, handle) =>
        gatedResponse({ ...gated, admission: gated.admission.catch(() => letIn) }, handle),
    })),
    breaks: ["leaves a resolver's error to the framework, and calls no handler"],
  },
  {
    name: "denies where the gate only observes",
    adapter: webAdapter(() => ({
      gate: (gate) =>
        deciding(gate, async (request) => {
          const decision = await gate.authorize(request);
          if (!decision.allowed || decision.observed === undefined) return decision;
          const { observed: denial, trace } = decision;
          const toResponse = () => new Response(null, { status: denial.status });
          return { allowed: false, denial, trace, toResponse };
        }),
    })),
    breaks: ["serves and bills a customer who cannot pay where the gate only observes"],
  },
  {
    name: "answers 401 itself, also where the gate only observes",
    adapter: webAdapter(() => ({
      admitted: (admission, { request }) => {
        if (request.headers.has("x-customer")) return admission;
        const toResponse = () => new Response(null, { status: 401 });
        const denial = { code: "customer_unresolved", status: 401, title: "", currency: "" } as const;
        return { admitted: false, denial: { ...denial, required: 0, retryable: false }, toResponse };
      },
    })),
    breaks: ["serves a request without a customer where the gate only observes, and bills nothing"],
  },
  {
    name: "looks whether the wallet can pay, and holds next to nothing",
    adapter: webAdapter(() => ({
      gate: (gate) =>
        deciding(gate, async (request) => {
          const least = await gate.authorize({ ...request, hold: 1e-6 });
          const figures = await gate.balance(request.customerId ?? "");
          if (least.trace.mode === "observe" || !least.allowed || figures?.capacity === undefined)
            return least;
          if (figures.capacity >= Number(request.hold)) return least;
          least.charge.release();
          return gate.authorize(request);
        }),
    })),
    breaks: ["admits of many at once exactly as many as the wallet can pay for"],
  },
  {
    name: "takes OPTIONS for free",
    adapter: webAdapter(skipping(({ method }) => method === "OPTIONS")),
    breaks: [
      "denies a customer who cannot pay by any method, with and without a body",
      "holds for a request by any method, and bills it, with and without a body",
    ],
  },
  {
    name: "takes HEAD for free",
    adapter: webAdapter(skipping(({ method }) => method === "HEAD")),
    breaks: ["denies a HEAD"],
  },
  {
    name: "believes a header that says that it has looked before",
    adapter: webAdapter(skipping(({ headers }) => headers.has("x-middleware-subrequest"))),
    breaks: ["denies a customer who cannot pay, whatever header is sent"],
  },
  {
    name: "gates the path as it is written, and routes by what it means",
    adapter: webAdapter(skipping(({ url }) => !/^\/\w+$/.test(new URL(url).pathname))),
    breaks: ["denies a customer who cannot pay by another spelling of the path"],
  },
];
