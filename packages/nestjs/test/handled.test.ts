import { defer, lastValueFrom, of } from "rxjs";
import { expect, it, vi } from "vitest";
import { Handled } from "../src/handled.ts";

const work = { answers: (value: unknown) => value, streams() {}, discard() {} };

it("calls no handler once the response is over: its hold has gone back, as where a guard of NestJS 11 decided slowly", async () => {
  const handler = vi.fn(() => of("an answer"));
  const handled = new Handled(work, false);
  const values = handled.watched(defer(handler));
  handled.miss();
  await handled.promise;
  await expect(lastValueFrom(values)).rejects.toMatchObject({ status: 499 });
  expect(handler).not.toHaveBeenCalled();
});

it("goes on with a handler that has been called", async () => {
  const handled = new Handled(work, false);
  const values = handled.watched(of("an answer"));
  const answer = lastValueFrom(values);
  handled.miss();
  expect(await answer).toBe("an answer");
});
