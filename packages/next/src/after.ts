import { AsyncLocalStorage } from "node:async_hooks";
import type { WaitUntil } from "@creditgate/core";
import type { Admission } from "@creditgate/core/adapter";
import * as server from "next/server.js";

/** What `after()` takes: a promise, or a function that Next calls when the response has gone out. */
type Task = Promise<unknown> | (() => unknown);

/** What Next keeps of a request, as far as it is read here. */
interface RequestStore {
  readonly afterContext?: { after?(task: Task, ...rest: unknown[]): void };
}

type Stores = AsyncLocalStorage<RequestStore> | undefined;
let stores: Promise<Stores> | undefined;

/** Where Next keeps it. No bundler may resolve it: Next 14 does not have it, and a copy of it would know of no request. */
function requestStores(): Promise<Stores> {
  stores ??= import(
    /* webpackIgnore: true */ /* turbopackIgnore: true */ "next/dist/server/app-render/work-async-storage.external.js"
  ).then(
    (module: object) =>
      Reflect.get(module, "workAsyncStorage") ??
      Reflect.get(Reflect.get(module, "default") ?? {}, "workAsyncStorage"),
    () => undefined,
  );
  return stores;
}

/** What the gate itself has given to `after()`: waiting for that would be waiting for itself. */
const own = new WeakSet<object>();
let warned = false;

/**
 * Next's `after()` for the request at hand, which keeps a serverless function at work behind its response. `undefined`
 * before Next 15.
 */
export function waitUntilAfter(): WaitUntil | undefined {
  const after = nextAfter();
  if (after === undefined) return undefined;
  // It finds its request by the context, and reports come from wherever the work is done.
  const inRequest = AsyncLocalStorage.snapshot();
  return (work) => {
    own.add(work);
    try {
      inRequest(() => after(work));
    } catch {
      // Outside of a serverless function the process goes on by itself.
    }
  };
}

/**
 * The same admission, whose work ends once everything has ended that the handler passes to Next's `after()`.
 * `after()` has no hook, so it is wrapped through what Next keeps of the request. If that is not found, one line is
 * logged.
 */
export async function withAfter(deciding: Promise<Admission>): Promise<Admission> {
  const [admission, storage] = await Promise.all([deciding, requestStores()]);
  if (!admission.admitted) return admission;
  const behind: Promise<unknown>[] = [];
  const context = storage?.getStore()?.afterContext;
  if (context?.after === undefined) {
    warnUnseen();
    return admission;
  }
  const after = context.after.bind(context);
  context.after = (task, ...rest) => {
    if (own.has(task)) return after(task, ...rest);
    if (typeof task !== "function") {
      after(task, ...rest);
      return void behind.push(Promise.resolve(task).catch(() => {}));
    }
    const { promise, resolve } = withResolvers();
    // It throws what is wrong: then nothing is called.
    after(
      async () => {
        try {
          await task();
        } finally {
          resolve();
        }
      },
      ...rest,
    );
    behind.push(promise);
  };
  /** Those too that are added meanwhile. */
  const over = async (): Promise<void> => {
    for (const work of behind) await work;
  };
  return {
    ...admission,
    end: async (ending) => {
      await over();
      return admission.end(ending);
    },
    disconnect(seen, cancelled, ending) {
      const isSeen = seen !== undefined || behind.length > 0;
      return admission.disconnect(
        isSeen ? Promise.resolve(seen).then(over, over) : undefined,
        cancelled,
        ending,
      );
    },
  };
}

/** It cannot be seen in this version of Next, and there is a request, so that `after()` can be called. */
function warnUnseen(): void {
  const after = nextAfter();
  if (warned || after === undefined) return;
  try {
    after(Promise.resolve());
  } catch {
    return;
  }
  warned = true;
  console.warn(
    "creditgate: this version of Next.js does not show what goes on in after(): the credits are not held for it, and what it reports " +
      "is billed late. Await that work in the handler, or use a version that @creditgate/next has been tested with. This is logged once.",
  );
}

type NextAfter = (task: Task) => void;

function nextAfter(): NextAfter | undefined {
  // Looked up by name: bundlers complain of a name that Next 14 does not export.
  const after = Reflect.get(server, "after") ?? Reflect.get(Reflect.get(server, "default") ?? {}, "after");
  return typeof after === "function" ? after : undefined;
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
