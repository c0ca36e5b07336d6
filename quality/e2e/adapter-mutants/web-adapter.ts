import { adapterResponse, adapterRoutes, answeredByAnother, createAdapterApp } from "@creditgate/conformance";
import type { Awaitable, Charge, CreditsOptions, Gate } from "@creditgate/core";
import { type Admission, createAdmission, gatedResponse } from "@creditgate/core/adapter";
import { serve } from "../adapters-node.ts";
import type { TriedAdapter } from "./mutant.ts";

export type Admitted = Extract<Admission, { admitted: true }>;
export type Denied = Extract<Admission, { admitted: false }>;
export type Handle = (credits: Charge) => Awaitable<Response>;
type Options = CreditsOptions<Request>;
type Fetch = (request: Request) => Promise<Response>;

/** What the parts know of a request. */
export interface Occasion {
  readonly request: Request;
  readonly options: Options;
}

/** What an adapter of web handlers is made of, to be exchanged one at a time. */
export interface WebParts {
  gate(gate: Gate): Gate;
  options(options: Options): Options;
  admitted(admission: Admitted, occasion: Occasion): Awaitable<Admission>;
  denied(admission: Denied, occasion: Occasion): Awaitable<Admission>;
  readonly life: typeof gatedResponse;
  answer(response: Promise<Response>, occasion: Occasion): Promise<Response>;
}

const right: WebParts = {
  gate: (gate) => gate,
  options: (options) => options,
  admitted: (admission) => admission,
  denied: (admission) => admission,
  life: gatedResponse,
  answer: (response) => response,
};

/** The app on trial behind an adapter that is right but for these parts, which each app makes anew. */
export function webAdapter(faulty: () => Partial<WebParts> = () => ({})): TriedAdapter {
  const start: TriedAdapter["start"] = (controlPlaneUrl) => {
    const parts = { ...right, ...faulty() };
    const app = createAdapterApp(controlPlaneUrl, (request: Request, name) => request.headers.get(name));
    const routes = new Map<string, Fetch>(
      adapterRoutes.map((route) => {
        const { gate, options } = app.on(route);
        const gated = gatedBy(parts, gate, options, async (request, credits) =>
          adapterResponse(await app.work(request, credits, {})),
        );
        return [`/${route}`, gated];
      }),
    );
    return serve(async (request) => {
      const pathname = meant(new URL(request.url).pathname);
      if (pathname === "/state") return Response.json(await app.state(request));
      const answering = routes.get(pathname)?.(request) ?? new Response(null, { status: 404 });
      return answeredByAnother(app.another(request), Promise.resolve(answering));
    });
  };
  return { start, onWeb: true };
}

function gatedBy(
  parts: WebParts,
  gate: Gate,
  givenOptions: Options,
  handler: (request: Request, credits: Charge) => Promise<Response>,
): Fetch {
  const options = parts.options(givenOptions);
  const admit = createAdmission(parts.gate(gate), options);
  return (request) => {
    const occasion = { request, options };
    const admission = admit(request).then((admission) =>
      admission.admitted ? parts.admitted(admission, occasion) : parts.denied(admission, occasion),
    );
    const response = parts.life({ request, admission }, (credits) => handler(request, credits));
    return parts.answer(response, occasion);
  };
}

/** As routers do that take more than one spelling of a path. */
function meant(pathname: string): string {
  return `/${decodeURIComponent(pathname)
    .toLowerCase()
    .replace(/^\/+|\/+$/g, "")}`;
}

/** The admission whose work ends otherwise, also where its client has disconnected: then once its stream has been cancelled. */
export function ending(admission: Admitted, end: Admitted["end"]): Admitted {
  return {
    ...admission,
    end,
    disconnect(seen, cancelled) {
      const over = admission.disconnect(seen);
      if (cancelled === undefined) return over;
      return Promise.race([over, Promise.allSettled([seen, cancelled]).then(() => end("aborted"))]);
    },
  };
}

/** The same charge but for these members. */
export function changedCharge(charge: Charge, changes: Partial<Charge>): Charge {
  const changed: Charge = {
    get open() {
      return charge.open;
    },
    get reported() {
      return charge.reported;
    },
    get held() {
      return charge.held;
    },
    extend: (amount) => charge.extend(amount),
    report: (usage, overrides) => charge.report(usage, overrides),
    settle: (instead) => charge.settle(instead),
    get signal() {
      return charge.signal;
    },
    release: () => charge.release(),
    disconnect: (disconnect) => charge.disconnect(disconnect),
    beforeBill: (close) => charge.beforeBill(close),
    endCalls: () => charge.endCalls(),
  };
  return Object.defineProperties(changed, Object.getOwnPropertyDescriptors(changes));
}
