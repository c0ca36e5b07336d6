import { type Answer, CreditgateError, type Transport, usageBatch } from "@creditgate/client";
import type { OutboxReport } from "../outbox/outbox.ts";
import { isObject } from "../values/object.ts";
import { bodyOf } from "./control-plane.ts";
import type { KnownService } from "./known-service.ts";
import { ambiguous, delivered, type Outcome, outcomeOf } from "./outcome.ts";
import type { Upstream } from "./upstream.ts";

/**
 * An outcome for each report, in their order; `undefined` if the batch failed as such: then they are posted singly, which shows whether
 * the service is ill or only its batches. Never rejects. A function, so that bundles without an outbox do not have it.
 */
export async function postBatch(
  upstream: Upstream,
  reports: readonly OutboxReport[],
  service: KnownService,
): Promise<readonly Outcome[] | undefined> {
  const { client } = upstream;
  return client === undefined
    ? upstream.report?.(reports).catch(() => undefined)
    : postThrough(client, reports, service);
}

async function postThrough(
  client: Pick<Transport, "send">,
  reports: readonly OutboxReport[],
  service: KnownService,
): Promise<readonly Outcome[] | undefined> {
  const keyed = reports.map((report) => ({ key: report.id, ...bodyOf(report) }));
  try {
    const answer = await client.send(
      usageBatch,
      { body: { reports: keyed } },
      { retries: 0, gate: service.gate },
    );
    service.learnFrom(answer);
    return outcomesIn(answer, reports, service);
  } catch (error) {
    service.learnFromError(error);
    const outcome = outcomeOf(error, service);
    // It asks for less of everything, and takes batches.
    return outcome.overloaded === true ? reports.map(() => outcome) : undefined;
  }
}

/**
 * Reads the answer to a batch: an outcome for each of the reports; `undefined` if it answers none of them. A missing
 * one is ambiguous, and does not affect the others.
 */
function outcomesIn(
  { body }: Answer,
  reports: readonly OutboxReport[],
  service: KnownService,
): readonly Outcome[] | undefined {
  const results: readonly unknown[] = isObject(body) && Array.isArray(body.results) ? body.results : [];
  let byKey: ReadonlyMap<unknown, unknown> | undefined;
  let missing: Outcome | undefined;
  let isAnswered = false;
  const outcomes = reports.map(({ id }, index): Outcome => {
    let result = results[index];
    // The service answers in the order of the reports, but need not.
    if (!isObject(result) || result.key !== id) {
      byKey ??= new Map(results.map((other) => [isObject(other) ? other.key : undefined, other]));
      result = byKey.get(id);
    }
    if (!isObject(result) || typeof result.status !== "number") {
      missing ??= ambiguous(new Error("the answer to a batch of usage reports has none for this one"));
      return missing;
    }
    isAnswered = true;
    return outcomeOfResult(result.status, result.body, service);
  });
  return isAnswered ? outcomes : undefined;
}

function outcomeOfResult(status: number, body: unknown, service: KnownService): Outcome {
  if (status >= 200 && status < 300) return delivered(body);
  const details = { status, problem: isObject(body) ? body : undefined };
  return outcomeOf(
    new CreditgateError("http", `a batch of usage reports answered ${status}`, details),
    service,
  );
}
