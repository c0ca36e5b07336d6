/** Samples in a second, of one byte each: what a telephone has. */
const samplesPerSecond = 8_000;
const headerBytes = 44;

/** A WAV file that lasts that number of seconds: a quiet tone, since the length is what matters here. */
export function makeWave(seconds: number): Uint8Array<ArrayBuffer> {
  const samples = Math.round(seconds * samplesPerSecond);
  const bytes = new Uint8Array(headerBytes + samples);
  const view = new DataView(bytes.buffer);
  const text = (at: number, word: string) => bytes.set(new TextEncoder().encode(word), at);
  text(0, "RIFF");
  view.setUint32(4, headerBytes - 8 + samples, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  // PCM, one channel.
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, samplesPerSecond, true);
  view.setUint32(28, samplesPerSecond, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, "data");
  view.setUint32(40, samples, true);
  for (let at = 0; at < samples; at++) bytes[headerBytes + at] = 128 + 8 * Math.sin((2 * Math.PI * at) / 20);
  return bytes;
}

/** How many seconds a WAV file lasts, by its header. Throws a `RangeError` for what is none. */
export function secondsOf(file: Uint8Array): number {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const word = (at: number) => String.fromCharCode(...file.subarray(at, at + 4));
  if (file.length < 12 || word(0) !== "RIFF" || word(8) !== "WAVE") throw noWave("RIFF and WAVE");
  let bytesPerSecond = 0;
  // Other chunks may stand before, between and behind those two; each is padded to an even length.
  for (let at = 12; at + 8 <= file.length; ) {
    const [name, size] = [word(at), view.getUint32(at + 4, true)];
    if (name === "fmt " && at + 20 <= file.length) bytesPerSecond = view.getUint32(at + 16, true);
    if (name === "data") {
      if (bytesPerSecond === 0) throw noWave("a format before its data");
      return size / bytesPerSecond;
    }
    at += 8 + size + (size % 2);
  }
  throw noWave("data");
}

function noWave(expected: string): RangeError {
  return new RangeError(`WAV file: expected ${expected}, received a file without`);
}
