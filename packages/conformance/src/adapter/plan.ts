import type { Charge, Gate } from "@creditgate/core";
import type { AdapterAnswer, OnNode } from "./answer.ts";
import { TrialWork, type WorkKind } from "./work.ts";

/** What the handler on trial does; it travels as JSON in the header `x-plan`. */
export interface AdapterPlan {
  /** Names the steps at which the handler waits until the contract lets it go on. */
  readonly run: string;
  /** The models that it reports before it answers. */
  readonly reports?: readonly string[];
  /** @default 200 */
  readonly status?: number;
  /** It waits at the step `answer` first, and throws when the signal of its charge fires, unless it is deaf to that. */
  readonly waits?: boolean | "deaf";
  /** Distinguishes the requests of one customer: the step is `answer 7`. */
  readonly turn?: number;
  /** The model that it reports once it has waited. */
  readonly afterwards?: string;
  readonly throws?: boolean;
  /** It stands behind a second gate, of the same options. */
  readonly nested?: boolean;
  /**
   * Nothing, a text (the default), a stream of this many chunks: each waits at its step and is reported; or
   * {@link floodChunks} of them that wait for nothing but their client.
   */
  readonly body?: "text" | "none" | "flood" | number;
  /** The stream fails behind its last chunk. */
  readonly fails?: boolean;
  /** The model that the stream reports when it is cancelled. */
  readonly parting?: string;
  /** The stream is a loop that goes on behind the answer and that no cancellation ends: the signal does, or nothing. */
  readonly pushes?: "heeding" | "deaf";
  readonly onNode?: OnNode;
  /** It does work of this kind, which reports the model `m`, in place of a body. */
  readonly work?: WorkKind;
  /** The stream of its work begins with this many chunks of 64 KiB. */
  readonly floods?: number;
  /** The model that it reports at the step `late`, behind the answer. */
  readonly late?: string;
}

/** More than all buffers on the way take, in chunks of 64 KiB. */
export const floodChunks = 512;

/** What the app on trial knows of a request. */
export interface AdapterSurroundings {
  /** Takes what goes on behind the answer. */
  readonly background?: ((work: Promise<unknown>) => void) | undefined;
  /** What the adapter gates by, if it is not what `on()` of the app gave it. */
  readonly gated?: { readonly gate: Gate; readonly indicator: string };
}

/** Does what the plan says. */
export async function carryOut(
  plan: AdapterPlan,
  credits: Charge,
  {
    controlPlaneUrl,
    over,
    background = () => {},
  }: AdapterSurroundings & { readonly controlPlaneUrl: string; readonly over: () => void },
): Promise<AdapterAnswer> {
  const { run, reports = [], status = 200, body = "text", late, parting, pushes, onNode } = plan;
  const left = new AbortController();
  const step = (name: string, until?: AbortSignal) =>
    // A POST, because some frameworks cache GETs.
    fetch(`${controlPlaneUrl}/steps/${run}/${name}`, { method: "POST", ...(until && { signal: until }) });

  async function* chunks(count: number): AsyncGenerator<string> {
    for (let chunk = 0; chunk < count; chunk++) {
      await step(`chunk ${chunk}`, left.signal);
      if (left.signal.aborted) return;
      credits.report({ model: `chunk ${chunk}` }, { credits: 1 });
      yield `chunk ${chunk}\n`;
    }
    if (plan.fails) throw new Error("the stream of the trial fails");
  }

  async function* flood(most: number): AsyncGenerator<string> {
    const chunk = "~".repeat(65_536);
    for (let made = 0; made < most && !left.signal.aborted; made++) yield chunk;
  }

  const work = plan.work && new TrialWork(plan.work, { credits, step, over });
  for (const model of reports) credits.report({ model }, { credits: 1 });
  if (plan.waits) {
    const name = plan.turn === undefined ? "answer" : `answer ${plan.turn}`;
    await step(name, plan.waits === "deaf" ? undefined : credits.signal);
  }
  if (plan.afterwards !== undefined) credits.report({ model: plan.afterwards }, { credits: 1 });
  if (plan.throws) throw new Error("the handler of the trial throws");
  if (work !== undefined) return work.answer(status, flood(plan.floods ?? 0));
  if (late !== undefined) {
    const reporting = step("late").then(() => credits.report({ model: late }, { credits: 1 }));
    // A contract that has been broken is over before the step is passed.
    background(reporting.catch(() => {}));
  }
  if (pushes === "heeding") credits.signal.addEventListener("abort", stop);
  // The others receive no cancellation from what they write to.
  const disconnect = pushes === undefined && onNode !== "ends" ? stop : () => {};
  return { status, body: bodyOf(), pushes: pushes !== undefined, onNode, disconnect };

  function stop(): void {
    left.abort();
    if (parting !== undefined) credits.report({ model: parting }, { credits: 1 });
  }

  function bodyOf(): AdapterAnswer["body"] {
    if (body === "none") return null;
    if (body === "text") return "done";
    return body === "flood" ? flood(floodChunks) : chunks(body);
  }
}
