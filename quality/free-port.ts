import { once } from "node:events";
import { createServer } from "node:net";
import process from "node:process";

const first = 10_000;
/** From 32768 on, Linux gives ports to connections and to servers that ask for any: one that is free now may be gone. */
const count = 22_000;
let taken = process.pid * 64;

/** A port of 127.0.0.1 that nothing listens on, and that no other test gets: for a server that is told its port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (taken++ % count);
    const probe = createServer().listen(port, "127.0.0.1");
    const isFree = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
