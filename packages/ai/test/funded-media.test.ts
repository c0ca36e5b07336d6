import {
  type AiSdkModel,
  InsufficientCredits,
  listedPrices,
  type MeteredCharge,
  type ModelMeteringOptions,
  meteredModel,
} from "@creditgate/ai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AiSdk } from "./ai-sdk.ts";
import { ai5 } from "./ai5.ts";
import { ai6 } from "./ai6.ts";
import { ai7 } from "./ai7.ts";
import { fundedScene } from "./funded-scene.ts";
import { Provider } from "./provider.ts";
import { wav } from "./recordings.ts";

const provider = new Provider();
beforeAll(() => provider.start());
afterAll(() => provider.stop());
beforeEach(() => provider.reset());

/** An image costs 2 credits, 1,000 characters 10, a minute of audio 6. */
const prices = listedPrices({ price: { perImage: 2, perThousandCharacters: 10, perAudioMinute: 6 } });

type Medium = "image" | "speech" | "transcription";

/** Two images; 50 characters; 9 seconds of audio, as the provider tells it too. What each costs, and costs at most. */
const works: readonly (readonly [Medium, number, (sdk: AiSdk, model: AiSdkModel) => Promise<void>])[] = [
  ["image", 4, (sdk, model) => sdk.makeImages(model)],
  ["speech", 0.5, (sdk, model) => sdk.speak(model, "word ".repeat(10))],
  ["transcription", 0.9, (sdk, model) => sdk.transcribe(model, wav({ seconds: 8.9 }))],
];

describe.each([ai5, ai6, ai7])("a metered model with prices, in $name", (sdk) => {
  const modelFor = (medium: Medium, charge: MeteredCharge, options: ModelMeteringOptions = {}) =>
    meteredModel(sdk.media({ url: provider.url })[medium], charge, { logger: false, prices, ...options });

  it.each(works)(
    "holds for a call of %s what it costs, %d credits, and bills it",
    async (medium, cost, call) => {
      const { scene, charge } = await fundedScene(100, 0.1);
      await call(sdk, modelFor(medium, charge));
      expect(charge.held).toBeCloseTo(cost, 6);
      await charge.settle();
      expect(scene.emitted("settled")).toMatchObject([{ reports: 1, credits: cost }]);
    },
  );

  it.each(works)(
    "does not make a call of %s that cannot be paid, and throws why",
    async (medium, cost, call) => {
      const { charge } = await fundedScene(0.2, 0.1);
      const error = await call(sdk, modelFor(medium, charge)).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InsufficientCredits);
      expect(error).toMatchObject({ required: cost, available: 0.1, denial: { status: 402 } });
      expect(provider.requests).toEqual([]);
      expect(charge.reported).toEqual([]);
    },
  );

  it("pays calls of several models from one hold", async () => {
    const { charge } = await fundedScene(5, 5);
    const image = modelFor("image", charge, { extend: false });
    await sdk.makeImages(image);
    await sdk.speak(modelFor("speech", charge, { extend: false }), "word ".repeat(10));
    await expect(sdk.makeImages(image)).rejects.toMatchObject({ required: 4, available: 0.5 });
  });
});

/** A model of any kind, which notes that it was asked. */
class NotedModel {
  readonly specificationVersion = "v3";
  readonly provider: string;
  readonly modelId: string;
  readonly maxImagesPerCall?: number;
  asked = 0;

  constructor(provider: string, modelId: string, kind: "image" | "audio") {
    this.provider = provider;
    this.modelId = modelId;
    if (kind === "image") this.maxImagesPerCall = 10;
  }

  async doGenerate(_request: object): Promise<object> {
    this.asked++;
    return {};
  }
}

describe("a metered model of media", () => {
  const tokens = listedPrices({
    price: { perThousandInputTokens: 1, perThousandAudioInputTokens: 2, perThousandOutputTokens: 10 },
  });
  async function heldFor(
    noted: NotedModel,
    request: object,
    options: ModelMeteringOptions = { prices: tokens },
  ): Promise<number> {
    const { charge } = await fundedScene(1_000, 1e-6);
    await meteredModel(noted, charge, { logger: false, ...options }).doGenerate(request);
    expect(noted.asked).toBe(1);
    return charge.held;
  }
  const image = (modelId: string) => new NotedModel("openai.image", modelId, "image");
  const audio = (modelId: string) => new NotedModel("openai.transcription", modelId, "audio");
  const recording = { audio: wav({ seconds: 60, sampleRate: 100 }), mediaType: "audio/wav" };

  it("holds the most tokens of an image, of a model that tells tokens", async () => {
    const request = { prompt: "a wallet", n: 2 };
    expect(await heldFor(image("gpt-image-1"), request)).toBeCloseTo(124.8, 1);
    expect(await heldFor(image("gpt-image-2"), request)).toBeCloseTo(474.4, 1);
    expect(
      await heldFor(image("gpt-image-1"), request, { prices: tokens, maxOutputTokens: 100 }),
    ).toBeCloseTo(2, 1);
    expect(await heldFor(image("dall-e-3"), request)).toBe(1e-6);
  });

  it("holds what the images cost that are to be edited", async () => {
    const files = [{ type: "file", mediaType: "image/png", data: new Uint8Array([1]) }];
    const options = { prices: tokens, maxOutputTokens: 1 };
    const [without, edited] = [
      await heldFor(image("gpt-image-1"), { prompt: "it", n: 1 }, options),
      await heldFor(image("gpt-image-1"), { prompt: "it", n: 1, files }, options),
    ];
    expect(edited - without).toBeCloseTo(0.84, 2);
  });

  it("holds what is heard and written at most, of a model that tells tokens", async () => {
    expect(await heldFor(audio("gpt-4o-transcribe"), recording)).toBeCloseTo(0.61 * 12, 6);
    expect(await heldFor(audio("whisper-1"), recording)).toBe(1e-6);
  });

  it("takes the length of audio from the application, where it tells one", async () => {
    const audioSeconds = (given: Uint8Array | string, mediaType: string) =>
      given === recording.audio && mediaType === "audio/wav" ? 9.2 : undefined;
    expect(await heldFor(audio("whisper-1"), recording, { prices, audioSeconds })).toBeCloseTo(1, 6);
  });

  it.each([
    () => undefined,
    () => Number.NaN,
    () => {
      throw new Error("no such format");
    },
  ])("tells it by itself where the application cannot", async (audioSeconds) => {
    expect(await heldFor(audio("whisper-1"), recording, { prices, audioSeconds })).toBeCloseTo(6.1, 6);
  });

  it("makes a call of what has no length or no price, and says once that nothing is held for it", async () => {
    const lines: string[] = [];
    const logger = { warn: (line: string) => void lines.push(line) };
    await heldFor(audio("whisper-a"), { audio: {}, mediaType: "audio/wav" }, { prices, logger });
    await heldFor(audio("whisper-b"), recording, { prices: () => undefined, logger });
    expect(lines).toEqual([
      expect.stringContaining("the length of the audio for openai whisper-a is unknown"),
      expect.stringContaining("openai whisper-b has no price"),
    ]);
  });

  it("refuses a length of audio that is none", async () => {
    const { charge } = await fundedScene(1, 1);
    const options = { prices, audioSeconds: 5 } as unknown as ModelMeteringOptions;
    expect(() => meteredModel(audio("whisper-1"), charge, options)).toThrow(
      "audioSeconds: expected a function",
    );
  });
});
