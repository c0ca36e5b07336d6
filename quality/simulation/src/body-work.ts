import { gatedResponse } from "@creditgate/core/adapter";
import { createClient } from "./client.ts";
import { type AbortedWork, handle } from "./handler.ts";
import { sleep } from "./time.ts";
import { pauseMs } from "./work.ts";

/** Does work that goes on behind a returned body. Its client reads, then leaves; or it asks with HEAD, and nothing reads. */
export async function doBodyWork(work: AbortedWork): Promise<void> {
  const { admission, clock, random, note } = work;
  const method = random.pick(["GET", "GET", "HEAD"]);
  const cancels = random.pick(["at once", "later", "in vain", "never"]);
  const returnsAfterMs = random.chance(0.5) ? 0 : pauseMs(work);
  note(`behind a body, for ${method}, returned after ${returnsAfterMs} ms, cancels ${cancels}`);

  let reader: ReadableStreamDefaultReader | undefined;
  const connection = new AbortController();
  const client = createClient(work, () => {
    if (reader !== undefined && random.chance(0.5)) reader.cancel().catch(() => {});
    else connection.abort();
  });

  let working: Promise<void> | undefined;
  const createBody = () => {
    let open = true;
    return new ReadableStream({
      start(controller) {
        const write = async () => {
          if (open) controller.enqueue("");
        };
        working = handle(work, method === "HEAD" ? () => {} : client.leave, write).then(() => {
          if (open) controller.close();
        });
      },
      async cancel() {
        open = false;
        if (cancels === "later") await sleep(clock, pauseMs(work));
        if (cancels === "in vain") throw new Error("cancel() fails");
        if (cancels === "never") await new Promise(() => {});
      },
    });
  };

  const request = new Request("https://app.example/", { method });
  // A Request holds the signal that it is given weakly.
  Object.defineProperty(request, "signal", { value: connection.signal });
  const response = await gatedResponse({ request, admission: Promise.resolve(admission) }, async () => {
    const body = createBody();
    await sleep(clock, returnsAfterMs);
    return new Response(body);
  });
  reader = response.body?.getReader();
  await readAll(reader).catch(() => {});
  await working;
  await client.leaving;
}

async function readAll(reader: ReadableStreamDefaultReader | undefined): Promise<void> {
  while (reader !== undefined && !(await reader.read()).done);
}
