import { type AdapterBench, same } from "./bench.ts";
import { floodChunks } from "./plan.ts";

/** The next chunk that arrives, or `undefined` at the end. */
async function nextChunk(
  bench: AdapterBench,
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): Promise<string | undefined> {
  const read = await bench.comes("a chunk", reader?.read() ?? Promise.resolve(undefined));
  return read?.value && new TextDecoder().decode(read.value);
}

/** The client reads nothing of its answer, which is a flood; the stream waits before all of it has been asked for. */
export async function untilBlocked(bench: AdapterBench): Promise<void> {
  let [chunks, looks] = [-1, 0];
  // Each look is a turn of the app, in which a stream that is not held back would go on.
  await bench.untilSoon("a stream that waits for its client", (state) => {
    looks = state.chunks === chunks ? looks + 1 : 0;
    chunks = state.chunks;
    return looks === 20;
  });
  same("the whole stream was asked for", chunks >= floodChunks, false);
}

/** Streams that their client reads, or does not. */
export const adapterStreams: { readonly [behaviour: string]: (bench: AdapterBench) => Promise<void> } = {
  async "lets the first chunk arrive while the handler is still blocked before its second"(bench) {
    bench.pass("chunk 0");
    const response = await bench.send({ plan: { body: 2 } });
    const reader = response.body?.getReader();
    same("first chunk", await nextChunk(bench, reader), "chunk 0\n");
    await bench.reached("chunk 1");
    bench.pass("chunk 1");
    same("second chunk", await nextChunk(bench, reader), "chunk 1\n");
    same("end", await nextChunk(bench, reader), undefined);
    await bench.expectBill(["chunk 0", "chunk 1"]);
  },

  async "holds until a stream has ended"(bench) {
    bench.pass("chunk 0");
    const answering = bench.send({ plan: { body: 2 } });
    answering.catch(() => {});
    await bench.reached("chunk 1");
    const { settlements, held } = await bench.state();
    same("meanwhile", { settlements, held }, { settlements: 0, held: 5 });
    bench.pass("chunk 1");
    const response = await answering;
    await bench.comes("the end of the answer", response.arrayBuffer());
    await bench.expectBill(["chunk 0", "chunk 1"]);
  },

  async "keeps apart two customers whose requests overlap"(bench) {
    const other = bench.other();
    bench.pass("chunk 0");
    const answering = bench.send({ plan: { body: 2 } });
    answering.catch(() => {});
    await bench.reached("chunk 1");
    await other.status({ plan: { reports: ["m"] } });
    await other.expectBill(["m"]);
    bench.pass("chunk 1");
    const response = await answering;
    await bench.comes("the end of the answer", response.arrayBuffer());
    await bench.expectBill(["chunk 0", "chunk 1"]);
  },

  async "asks a stream for no more than its client takes"(bench) {
    const client = new AbortController();
    const response = await bench.send({ plan: { body: "flood" }, signal: client.signal });
    same("status", response.status, 200);
    await untilBlocked(bench);
    client.abort();
  },

  async "bills a stream that fails what it has reported"(bench) {
    bench.pass("chunk 0");
    // How much of it arrives is the runtime's: some tear the connection down at once.
    await bench.status({ plan: { body: 1, fails: true } }).catch(() => {});
    await bench.expectBill(["chunk 0"]);
  },
};
