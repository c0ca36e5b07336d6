import { endpoints } from "@creditgate/client";
import type { TestControlPlane } from "@creditgate/control-plane/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faults } from "./network.ts";
import { Phone, startPhone } from "./phone.ts";
import { Book, turn } from "./script.ts";

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startPhone({ alice: 1_000, bob: 1_000 });
});
afterAll(() => plane.stop());

const paths = {
  customer: endpoints.customerCreateOrGet.path,
  session: endpoints.voiceSession.path,
  stt: endpoints.voiceStt.path,
  llm: endpoints.voiceLlm.path,
  tts: endpoints.voiceTts.path,
  indicator: endpoints.voiceIndicator.path,
};

describe("a voice call", () => {
  it("posts customer, session, parts and indicator in the order of the API, and bills the book", async () => {
    const phone = new Phone(plane);
    const before = await phone.available("alice");
    const book = new Book();
    const call = await phone.open("alice");
    expect(call.state).toBe("opened");
    call.start();
    book.play(call, turn);
    await phone.pass(7.5);
    book.play(call, turn);
    book.seconds = 7.5;
    expect(call.state).toBe("running");
    const bill = await phone.passing(call.end());
    expect(call.state).toBe("ended");
    expect(bill).toMatchObject({
      ending: "completed",
      seconds: 7.5,
      credits: book.total / 1e6,
      unposted: [],
    });
    const posted = phone.network.sent.filter((path) => Object.values<string>(paths).includes(path));
    const { customer, session, stt, llm, tts, indicator } = paths;
    expect(posted).toEqual([customer, session, stt, llm, tts, stt, llm, tts, indicator]);
    expect(before - (await phone.available("alice"))).toBe(book.total);
    expect(await phone.gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: book.total / 1e6 });
  });

  it.each(faults)("bills the book, each post once, where each post is %s, twice", async (fault) => {
    const phone = new Phone(plane);
    const before = await phone.available("alice");
    for (const path of Object.values(paths)) phone.network.plans.set(path, [fault, fault]);
    const book = new Book();
    const call = await phone.open("alice", { openMs: 60_000 });
    for (const seconds of [2.2, 3.3]) {
      book.play(call, turn);
      await phone.pass(seconds);
      book.seconds += seconds;
    }
    const bill = await phone.passing(call.end());
    expect(bill).toMatchObject({ credits: book.total / 1e6, unposted: [] });
    expect(before - (await phone.available("alice"))).toBe(book.total);
    // One that arrives is not sent again.
    const left = [...phone.network.plans.values()].map((plan) => plan.length);
    expect(Math.max(...left)).toBeLessThan(2);
  });
});
