import { fileURLToPath } from "node:url";
import { API, type Checker, type Type } from "typescript/unstable/sync";
import { afterAll, beforeAll, expect, it } from "vitest";
import { promptIn } from "../src/call/prompt.ts";
import { answersIn, maximumIn, thinkingIn } from "../src/hold/call-size.ts";

/** Fields that cost no tokens of this request, by why. */
const free: Readonly<Record<string, string>> = {
  "how tokens are chosen, not how many there are": `temperature topP topK top_p top_k presencePenalty frequencyPenalty
    presence_penalty frequency_penalty logit_bias seed logprobs top_logprobs responseLogprobs stop stop_sequences stopSequences
    parallel_tool_calls tool_choice toolChoice toolConfig function_call enableEnhancedCivicAnswers`,
  "within the maximum of what is written": `echo reasoning reasoning_effort verbosity effort task_budget thinkingConfig speed
    modalities responseModalities audio audioTimestamp speechConfig audioTranscriptionConfig responseMimeType continuationToken
    automaticContinuation truncation max_tool_calls include stopWhen timeout`,
  "how the answer comes, or where from": `stream stream_options background service_tier serviceTier encoding_format dimensions
    outputDimensionality taskType mimeType autoTruncate includeRawChunks betas httpOptions headers abortSignal routingConfig
    modelSelectionConfig inference_geo generationOutputConfig`,
  "labels, keys and what is kept": `metadata labels store user safety_identifier prompt_cache_key prompt_cache_options
    prompt_cache_retention cache_control user_profile_id workspace_id billing_policy fallback_credit_token diagnostics
    access_programs`,
  "a check of what passes, not read by the model":
    "moderation safetySettings modelArmorConfig allowSystemInMessages",
  "the name of a model, or of others that are asked in its place": "model fallbacks",
  "named and not sent: the limits of docs/models/endings.md": `previous_response_id conversation thread container cachedContent mcp_servers
    web_search_options documentOcr audioTrackExtraction`,
  "images are counted, not described": `size quality background style complexity output_compression partial_images
    frame_count frame_duration_ms svg input_fidelity aspectRatio imageSize imageConfig guidanceScale personGeneration
    safetyFilterLevel includeSafetyAttributes includeRaiReason language outputMimeType outputCompressionQuality addWatermark
    enhancePrompt outputGcsUri numberOfImages mediaResolution`,
  "what the AI SDK does around its calls, each of which is metered; a schema comes as responseFormat": `maxRetries telemetry
    experimental_telemetry activeTools experimental_activeTools prepareStep experimental_prepareStep experimental_repairToolCall
    repairToolCall onStepFinish experimental_context _internal output experimental_output experimental_download onStart onFinish
    experimental_onStart experimental_onStepStart experimental_onToolCallStart experimental_onToolCallFinish
    experimental_toolApprovalSecret experimental_include toolsContext experimental_sandbox experimental_steering runtimeContext
    toolOrder toolCallConcurrency toolApproval experimental_toolCallers experimental_refineToolInput onStepStart
    onLanguageModelCallStart experimental_onLanguageModelCallStart onLanguageModelCallEnd experimental_onLanguageModelCallEnd
    onToolExecutionStart onToolExecutionEnd onStepEnd onStepError onEnd automaticFunctionCalling`,
};
const freeNames = new Set(Object.values(free).flatMap((names) => names.trim().split(/\s+/)));

/** These have fields of their own, each of which is looked at. */
const containers: ReadonlySet<string> = new Set(["config", "text", "output_config"]);

const file = fileURLToPath(new URL("request-types.ts", import.meta.url));
const config = fileURLToPath(new URL("request-types.json", import.meta.url));
const compilerOptions = {
  ...{ module: "nodenext", target: "esnext", lib: ["esnext", "dom"], types: ["node"] },
  ...{ strict: true, skipLibCheck: true, noEmit: true },
};
const api = new API({
  fs: {
    fileExists: (path) => path === config || undefined,
    readFile: (path) => (path === config ? JSON.stringify({ compilerOptions, files: [file] }) : undefined),
  },
});
afterAll(() => api.close());

/** The fields of each call, as `call: container.field`. */
const fields: { readonly call: string; readonly path: readonly string[] }[] = [];
beforeAll(() => {
  const project = api.updateSnapshot({ openProjects: [config] }).getProjects()[0];
  const requests = project?.checker.resolveName(
    "Requests",
    symbolOfType,
    project.program.getSourceFile(file)?.endOfFileToken,
  );
  if (project === undefined || requests === undefined) throw new Error("no types of requests");
  const { checker } = project;
  for (const call of checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(requests))) {
    const type = checker.getTypeOfSymbol(call);
    for (const path of new Map([...pathsOf(checker, type)].map((one) => [one.join("."), one])).values()) {
      fields.push({ call: call.name, path });
    }
  }
});
/** `SymbolFlags.Interface`. */
const symbolOfType = 64;

function* pathsOf(checker: Checker, type: Type | undefined): Generator<readonly string[]> {
  if (type === undefined) return;
  if (type.isUnionType()) for (const part of type.getTypes()) yield* pathsOf(checker, part);
  else if (type.isObjectType() || type.isIntersectionType()) {
    for (const field of checker.getPropertiesOfType(type)) {
      yield [field.name];
      if (!containers.has(field.name)) continue;
      for (const path of pathsOf(checker, checker.getTypeOfSymbol(field))) yield [field.name, ...path];
    }
  }
}

const thinking = {
  thinking: { budget_tokens: 9, type: "enabled" },
  providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 9 } } },
};

function isCounted(path: readonly string[]): boolean {
  const asked = (value: unknown) =>
    path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
  const name = path.at(-1) ?? "";
  if (name in thinking) return thinkingIn({ max_tokens: 9, ...thinking }) === 9;
  const seven = { ...asked(7) };
  return (
    promptIn({ ...asked("a probe") }).texts.some((text) => text.includes("a probe")) ||
    maximumIn(seven) === 7 ||
    answersIn(seven) === 7
  );
}

it("knows of every field of every request whether it costs tokens", () => {
  const calls = new Set(fields.map(({ call }) => call));
  expect(calls.size).toBe(15);
  for (const call of calls) expect(fields.filter((one) => one.call === call).length, call).toBeGreaterThan(3);
  const unknown = fields.filter(({ path }) => {
    const name = path.at(-1) ?? "";
    return !containers.has(name) && !freeNames.has(name) && !isCounted(path);
  });
  expect(unknown.map(({ call, path }) => `${call}: ${path.join(".")}`)).toEqual([]);
});

it("calls nothing free that is counted, or that no request has", () => {
  const counted = fields.filter(({ path }) => freeNames.has(path.at(-1) ?? "") && isCounted(path));
  expect(counted.map(({ call, path }) => `${call}: ${path.join(".")}`)).toEqual([]);
  const asked = new Set(fields.map(({ path }) => path.at(-1)));
  expect([...freeNames].filter((name) => !asked.has(name))).toEqual([]);
});
