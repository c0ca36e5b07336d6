import { backOffMs } from "@creditgate/client";
import type { Clock } from "@creditgate/core";
import type { CalledObject, FindObject } from "./namespace.ts";

const attempts = 3;
const rests = { firstMs: 40, longestMs: 160 };

/**
 * Calls the object, and again where it failed: an object that was evicted, moved or deployed anew fails the calls that it was in. Each call
 * has one effect, however often it arrives.
 */
export async function callObject<Answer>(
  find: FindObject,
  call: (object: CalledObject) => Promise<Answer>,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(find());
    } catch (error) {
      if (attempt === attempts || isOverloaded(error)) throw error;
      await new Promise<void>((resolve) => clock.schedule(backOffMs(attempt, { ...rests, random }), resolve));
    }
  }
}

/** Workers mark such errors: another call would only make it worse. */
function isOverloaded(error: unknown): boolean {
  return typeof error === "object" && error !== null && "overloaded" in error && error.overloaded === true;
}
