import { textIn } from "../call/answer-text.ts";
import {
  chargeOf,
  checkMetering,
  type MeteredCharge,
  type MeteredCredits,
  noteOnce,
} from "../call/metering-options.ts";
import { isMetered, ModelCall, type Reservation, type Totals } from "../call/model-call.ts";
import { jsonOf, promptIn } from "../call/prompt.ts";
import { watchedStream } from "../call/watched-stream.ts";
import { WrittenItems } from "../call/written-items.ts";
import { aiSdkReading, mediaReading, providerName } from "../usage/ai-sdk-usage.ts";
import { type Fields, fieldsOf, listOf, textOf } from "../usage/fields.ts";
import { imagesReading, type UsageReading } from "../usage/usage-reading.ts";
import { type FundedRequest, fundedRequest } from "./funded-request.ts";
import {
  type AiSdkModel,
  checkFunding,
  kindOf,
  type ModelKind,
  type ModelMeteringOptions,
  modelOptionNames,
} from "./model-options.ts";

/**
 * The model, of any version of the AI SDK from 5 on, whose calls are billed to `credits`: each call once, however it
 * ends. It is the model in all else, and of its type. Its calls stop when the client disconnects. Throws an
 * `invalid_option` error for a string, and for a model that is not metered.
 */
export function meteredModel<Model extends AiSdkModel>(
  model: Model,
  credits: MeteredCredits,
  options: ModelMeteringOptions = {},
): Model {
  const kind = kindOf(model);
  checkMetering(credits, options, modelOptionNames);
  checkFunding(credits, options);
  const metering: ModelMetering = { model, kind, credits, options };
  return new Proxy(model, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const method = (call: unknown): unknown => Reflect.apply(value, target, [call]);
      if (name === "doStream" && kind === "language") return streaming(metering, method);
      if (name === "doGenerate" || name === "doEmbed") return single(metering, method);
      if (name === "doStream") return unmetered(metering, method);
      // A private field is found on the model itself only.
      return value.bind(target);
    },
  });
}

interface ModelMetering {
  readonly model: AiSdkModel;
  readonly kind: ModelKind;
  readonly credits: MeteredCredits;
  readonly options: ModelMeteringOptions;
}

type Method = (call: unknown) => unknown;

/** A stream of speech, or of a transcription. */
function unmetered({ model, options }: ModelMetering, method: Method): Method {
  return (given) => {
    noteOnce(options, `streams of ${model.provider} ${model.modelId} are not metered`);
    return method(given);
  };
}

/** A call that is metered, unless another door meters it already; `run` makes it. */
function metered(
  metering: ModelMetering,
  method: Method,
  run: (call: ModelCall, request: Fields) => Promise<unknown>,
): Method {
  return async (given) => {
    const asked = fieldsOf(given) ?? {};
    const credits = chargeOf(metering.credits);
    if (isMetered(asked.abortSignal, credits, metering.options)) return method(given);
    // At once where nothing is held for it: a caller may abort it in this turn.
    const { request, reservation } = isFunded(metering)
      ? await funded(metering, credits, asked)
      : { request: asked, reservation: undefined };
    return run(begin(metering, credits, request, reservation), request);
  };
}

/** A call that is answered at once. */
function single(metering: ModelMetering, method: Method): Method {
  return metered(metering, method, async (call, request) => {
    try {
      const result = await send(call, method, request);
      understand(() => {
        call.answered();
        readResult(metering, call, request, fieldsOf(result) ?? {});
        // Found in a copy of the result too.
        const answer = fieldsOf(result)?.usage ?? result;
        call.receives(answer);
        call.passes(answer);
      });
      call.end("finished");
      return result;
    } catch (error) {
      understand(() => {
        if (isMedia(metering) && (call.signal.aborted || isTaken(error)))
          call.took(takenOf(metering, request));
      });
      fail(call, error);
      throw error;
    } finally {
      call.detach();
    }
  });
}

function streaming(metering: ModelMetering, method: Method): Method {
  return metered(metering, method, async (call, request) => {
    try {
      const result = fieldsOf(await send(call, method, request)) ?? {};
      const { stream } = result;
      if (!isStream(stream)) {
        call.end("finished");
        return result;
      }
      call.answered();
      const toolCalls = new WrittenItems();
      const see = (part: unknown) => {
        understand(() => readPart(metering, call, fieldsOf(part) ?? {}, toolCalls));
        return part;
      };
      call.receives(stream);
      const watched = watchedStream<unknown>(stream, call, { see, rest: () => undefined });
      call.passes(watched);
      return { ...result, stream: watched };
    } catch (error) {
      fail(call, error);
      call.detach();
      throw error;
    }
  });
}

/** Whether what a call may cost is held before it is made. */
function isFunded({ options }: ModelMetering): boolean {
  return options.prices !== undefined;
}

/** The request as its work can pay for it. Throws {@link InsufficientCredits} where it cannot. */
function funded(
  { model, kind, options }: ModelMetering,
  credits: MeteredCharge,
  request: Fields,
): Promise<FundedRequest> {
  return fundedRequest(request, credits, options, {
    provider: providerName(String(model.provider)),
    model: String(model.modelId),
    prompt: () => promptIn(request),
    kind,
    signal: callerSignal(request),
  });
}

function begin(
  { model, kind, options }: ModelMetering,
  credits: MeteredCharge,
  request: Fields,
  reservation: Reservation | undefined,
): ModelCall {
  const provider = providerName(String(model.provider));
  const totals = totalsOf[kind];
  const subject = {
    provider,
    model: String(model.modelId),
    prompt: () => promptIn(request),
    totals,
    meter: "model",
  } as const;
  const call = new ModelCall(credits, options, subject, callerSignal(request));
  call.paidFrom(reservation);
  return call;
}

function callerSignal({ abortSignal }: Fields): AbortSignal | undefined {
  return abortSignal instanceof AbortSignal ? abortSignal : undefined;
}

const totalsOf: Readonly<Record<ModelKind, Totals>> = {
  language: { input: true, output: true },
  embedding: { input: true, output: false },
  image: { input: false, output: false },
  audio: { input: false, output: false },
};

function send(call: ModelCall, method: Method, request: Fields): unknown {
  if (call.signal.aborted) {
    // Before it goes out: nothing is billed, so a model that does not look at the signal must not work either.
    call.drop();
    throw call.signal.reason;
  }
  return method({ ...request, abortSignal: call.signal });
}

/** Also one of a polyfill. */
function isStream(value: unknown): value is ReadableStream {
  return typeof value === "object" && value !== null && "getReader" in value;
}

function fail(call: ModelCall, error: unknown): void {
  // An answer that could not be understood has been written all the same.
  if (isTaken(error)) {
    call.answered();
    understand(() => call.wrote(textIn(String(fieldsOf(error)?.responseBody))));
  }
  call.end(call.signal.aborted ? "aborted" : "failed");
}

/** Whether the provider has worked: what it has answered could not be read. */
function isTaken(error: unknown): boolean {
  const { statusCode } = fieldsOf(error) ?? {};
  return typeof statusCode === "number" && statusCode >= 200 && statusCode < 300;
}

function takenOf({ kind }: ModelMetering, request: Fields): UsageReading | undefined {
  return kind === "image" ? imagesReading(request.n) : mediaReading(request, {});
}

function isMedia({ kind }: ModelMetering): boolean {
  return kind === "image" || kind === "audio";
}

function readResult(metering: ModelMetering, call: ModelCall, request: Fields, result: Fields): void {
  if (isMedia(metering)) {
    call.reported(mediaReading(request, result), true);
    return;
  }
  const { model } = metering;
  const { usage, providerMetadata } = result;
  for (const part of listOf(result.content)) {
    const fields = fieldsOf(part) ?? {};
    call.wrote(fields.text);
    if (fields.type === "tool-call") call.wrote(toolCallOf(fields));
  }
  call.reported(aiSdkReading(usage, { provider: String(model.provider), providerMetadata }), true);
}

/** The name and the input of a tool call, as the model writes them. */
function toolCallOf({ toolName, input }: Fields): string {
  return (textOf(toolName) ?? "") + (textOf(input) ?? jsonOf(input));
}

function readPart({ model }: ModelMetering, call: ModelCall, part: Fields, toolCalls: WrittenItems): void {
  const { type, id, delta } = part;
  if (type === "text-delta" || type === "reasoning-delta") call.wrote(delta);
  else if (type === "tool-input-start") call.wrote(toolCalls.piece(id, textOf(part.toolName) ?? ""));
  else if (type === "tool-input-delta") call.wrote(toolCalls.piece(id, textOf(delta) ?? ""));
  // Some models write it at once.
  else if (type === "tool-call") call.wrote(toolCalls.whole(part.toolCallId, toolCallOf(part)));
  else if (part.type === "error") call.failed();
  else if (part.type === "finish") {
    const { usage, providerMetadata, finishReason } = part;
    if ((fieldsOf(finishReason)?.unified ?? finishReason) === "error") call.failed();
    call.reported(aiSdkReading(usage, { provider: String(model.provider), providerMetadata }), true);
    // The last part: some readers stop here.
    call.end("finished");
  }
}

/** Billing never breaks a model call. */
function understand(read: () => void): void {
  try {
    read();
  } catch {
    // What was not understood is estimated.
  }
}
