/** Voice notes have about as few bytes per second. An unknown format counts as one, so it is never taken for too short. */
const leastBytesPerSecond = 2_000;

/**
 * The most seconds that a recording can have. Uncompressed WAV and MP3 contain their length. Others are estimated
 * from their bytes: a file of 128 kbit/s counts as eight times as long. `undefined` for what is no recording.
 */
export function audioLength(audio: unknown): number | undefined {
  const bytes = bytesOf(audio);
  return bytes && (wavLength(bytes) ?? mp3Length(bytes) ?? bytes.length / leastBytesPerSecond);
}

/** As the AI SDK hands it to a model: bytes, or bytes in base64. */
function bytesOf(audio: unknown): Uint8Array | undefined {
  if (audio instanceof Uint8Array) return audio;
  if (typeof audio !== "string") return undefined;
  try {
    const text = atob(audio);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    return bytes;
  } catch {
    return undefined;
  }
}

/** PCM, floating point, A-law and µ-law. Each has the same number of bytes each second. */
const evenFormats: ReadonlySet<number> = new Set([1, 3, 6, 7]);
/** The format stands in the extension of the head. */
const extensible = 0xfffe;

/** From the bytes per sample and the total bytes. Decoders do not trust the rest of the header either. */
function wavLength(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const is = (name: string, at: number) =>
    at + 4 <= bytes.length && [...name].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));
  if (!is("RIFF", 0) || !is("WAVE", 8)) return undefined;
  let at = 12;
  while (at + 24 <= bytes.length && !is("fmt ", at)) {
    const length = view.getUint32(at + 4, true);
    // After an odd number of bytes comes one more, which is not counted.
    at += 8 + length + (length % 2);
  }
  if (at + 24 > bytes.length) return undefined;
  const stated = view.getUint16(at + 8, true);
  const format = stated === extensible && at + 34 <= bytes.length ? view.getUint16(at + 32, true) : stated;
  const bytesPerSample = view.getUint16(at + 10, true) * Math.ceil(view.getUint16(at + 22, true) / 8);
  // Decoders compute the size of a sample, and may not read the one that is stated.
  const bytesPerSecond =
    view.getUint32(at + 12, true) * Math.min(bytesPerSample, view.getUint16(at + 20, true));
  return evenFormats.has(format) && bytesPerSecond > 0 ? bytes.length / bytesPerSecond : undefined;
}

/** Frame by frame, since each may have a bit rate of its own. */
function mp3Length(bytes: Uint8Array): number | undefined {
  const start = tagLength(bytes);
  let at = start;
  let seconds = 0;
  for (let frame = frameAt(bytes, at); frame !== undefined; frame = frameAt(bytes, at)) {
    at += frame.length;
    seconds += frame.seconds;
  }
  // What comes after the last frame may be tags, or more frames after a gap.
  return at === start ? undefined : seconds + Math.max(0, bytes.length - at) / leastBytesPerSecond;
}

/** Of the tag before the first frame. It begins with "ID3", and its length has seven bits in each byte. */
function tagLength(bytes: Uint8Array): number {
  if (bytes[0] !== 0x49 || bytes[1] !== 0x44 || bytes[2] !== 0x33) return 0;
  return bytes.subarray(6, 10).reduce((length, byte) => length * 128 + byte, 0) + 10;
}

/** kbit/s, by the number in a frame: of MPEG 1, and of MPEG 2 and 2.5. */
const bitRates = [
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const sampleRates = [44_100, 48_000, 32_000] as const;
/** By which the rates of a version are lower; 1 is reserved. */
const divisors = [4, undefined, 2, 1] as const;

/** A frame of layer III that begins there. */
function frameAt(
  bytes: Uint8Array,
  at: number,
): { readonly length: number; readonly seconds: number } | undefined {
  const [sync = 0, kind = 0, rates = 0] = bytes.subarray(at, at + 3);
  const isLayer3 = sync === 0xff && kind >> 5 === 0b111 && ((kind >> 1) & 0b11) === 0b01;
  const divisor = divisors[(kind >> 3) & 0b11];
  const highest = sampleRates[(rates >> 2) & 0b11];
  if (!isLayer3 || divisor === undefined || highest === undefined) return undefined;
  const bitRate = bitRates[divisor === 1 ? 0 : 1][(rates >> 4) - 1];
  if (bitRate === undefined) return undefined;
  const samples = divisor === 1 ? 1_152 : 576;
  const sampleRate = highest / divisor;
  const padding = (rates >> 1) & 1;
  return {
    length: Math.floor((bitRate * 125 * samples) / sampleRate) + padding,
    seconds: samples / sampleRate,
  };
}
