import { EventEmitter } from "node:events";
import { NodeWork } from "@creditgate/core/adapter";
import { createClient } from "./client.ts";
import { type AbortedWork, handle } from "./handler.ts";

/** Does work that answers through Node's response: its promise is seen or not, and it may wait for `drain`. */
export async function doNodeWork(work: AbortedWork): Promise<void> {
  const { admission, random, note } = work;
  const promise = random.pick<"seen" | "returns early" | "unseen">(["seen", "returns early", "unseen"]);
  const answers = random.chance(0.5);
  const readsSlowly = random.chance(0.4);
  note(`on Node, its promise: ${promise}, answers: ${answers}, waits for drain: ${readsSlowly}`);
  const response = new FakeResponse();
  const node = new NodeWork({ socket: response.socket }, response);
  const client = createClient(work, () => response.abort());
  const write = async () => {
    const blocked = readsSlowly && client.leaving !== undefined && !response.destroyed;
    // Once its hold has ended nothing resumes a handler whose promise is not seen.
    if ((!response.write() || blocked) && admission.credits.open) await response.drained();
  };
  const run = () =>
    handle(work, client.leave, write).then(() => {
      if (answers || (promise === "seen" && admission.hasLeft)) admission.showEnd();
      if (answers) response.end();
    });
  const ways = {
    seen: () => node.run(admission, run),
    "returns early": () => {
      node.run(admission, () => Promise.resolve());
      return run();
    },
    unseen: () => {
      node.run(admission);
      return run();
    },
  };
  const handling = ways[promise]();
  await handling;
  await client.leaving;
}

/** As much of Node's response as `NodeWork` uses. Like Node's it emits no `drain` once its client has disconnected. */
class FakeResponse extends EventEmitter {
  readonly statusCode = 200;
  readonly socket = Object.assign(new EventEmitter(), { destroyed: false });
  readonly headersSent = true;
  destroyed = false;
  writableEnded = false;

  write(): boolean {
    return !this.destroyed;
  }

  flushHeaders(): void {}

  destroy(): void {}

  end(): void {
    this.writableEnded = true;
    if (!this.destroyed) this.emit("finish");
  }

  /** Its client has disconnected. */
  abort(): void {
    if (this.writableEnded) return;
    this.socket.destroyed = true;
    this.destroyed = true;
    this.emit("close");
  }

  drained(): Promise<void> {
    return new Promise((resolve) => this.once("drain", resolve));
  }
}
