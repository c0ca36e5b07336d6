import { type DecisionTrace, type Judgement, traceOf } from "../decision/trace.ts";
import type { Denial } from "../denial/denial.ts";
import { denialResponse, type HeadedRequest } from "../denial/response.ts";
import type { Charge } from "./charge.ts";

/**
 * Let in, with the charge to settle; or denied, with the reason as data and as a response. `trace` is drawn when it is read:
 * it is in the JSON of a decision, and not in a copy by `...`.
 */
export type Decision =
  | {
      readonly allowed: true;
      readonly charge: Charge;
      readonly trace: DecisionTrace;
      /** In observe mode: the denial that `enforce` would have answered with. */
      readonly observed?: Denial;
    }
  | {
      readonly allowed: false;
      readonly denial: Denial;
      readonly trace: DecisionTrace;
      /** `application/problem+json`, or a page if the request is a browser's navigation. */
      toResponse(request?: HeadedRequest): Response;
    };

/** Work that is let in. The trace is drawn when it is read, which is seldom. */
export class Allowed {
  readonly allowed = true;
  readonly charge: Charge;
  readonly #judgement: Judgement;
  readonly #amount: number;
  readonly #mode: DecisionTrace["mode"];

  constructor(charge: Charge, judgement: Judgement, amount: number, mode: DecisionTrace["mode"]) {
    this.charge = charge;
    this.#judgement = judgement;
    this.#amount = amount;
    this.#mode = mode;
  }

  get trace(): DecisionTrace {
    return traceOf(this.#judgement, this.#amount, this.#mode);
  }

  /** A getter of a class is not in its JSON by itself. */
  toJSON(): object {
    return { allowed: true, trace: this.trace };
  }
}

/** Work that is denied. */
export class Denied {
  readonly allowed = false;
  readonly denial: Denial;
  /** Its own, and without a receiver: it is there in a copy of the decision, and works when it is taken out of it. */
  readonly toResponse: (request?: HeadedRequest) => Response;
  readonly #judgement: Judgement;
  readonly #amount: number;

  constructor(denial: Denial, judgement: Judgement, amount: number) {
    this.denial = denial;
    this.toResponse = (request) => denialResponse(denial, request);
    this.#judgement = judgement;
    this.#amount = amount;
  }

  get trace(): DecisionTrace {
    return traceOf(this.#judgement, this.#amount, "enforce");
  }

  toJSON(): object {
    const { allowed, denial, trace } = this;
    return { allowed, denial, trace };
  }
}
