import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { onTestFinished } from "vitest";

/** These tests run twice: with the transport of Node, and with that of other platforms (vitest.workspace.ts). */
export const isPool: boolean = process.env.CREDITGATE_PLATFORM === "node";

/** Calls back once, when the head of an answer has come and been read, and before the test lets its body end. */
export function afterHead(then: () => void): void {
  const channel = "undici:request:headers";
  const listener = (): void => {
    unsubscribe(channel, listener);
    setImmediate(then);
  };
  subscribe(channel, listener);
  onTestFinished(() => void unsubscribe(channel, listener));
}
