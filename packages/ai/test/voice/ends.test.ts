import type { VoiceCall, VoiceClient, VoiceEnding } from "@creditgate/ai/voice";
import { endpoints } from "@creditgate/client";
import type { TestControlPlane } from "@creditgate/control-plane/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Phone, startPhone } from "./phone.ts";
import { Book, turn } from "./script.ts";

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startPhone({ alice: 1_000, dry: 4.5 });
});
afterAll(() => plane.stop());

/** Whose work is over: nothing is held, and this was billed. */
async function expectBilled(phone: Phone, customer: string, before: number, total: number): Promise<void> {
  expect(before - (await phone.available(customer))).toBe(total);
  expect((await phone.gate.balance(customer))?.held ?? 0).toBe(0);
}

describe("a voice call whose caller hangs up", () => {
  const whileOpening = {
    customer: endpoints.customerCreateOrGet.path,
    balance: endpoints.walletBalance.path,
    session: endpoints.voiceSession.path,
  };

  it.each(Object.entries(whileOpening))("while it is opened is none: %s", async (_, path) => {
    const phone = new Phone(plane);
    const before = await phone.available("alice");
    const caller = new AbortController();
    phone.network.onSend = (sent) => {
      if (sent === path) caller.abort(new Error("hung up"));
    };
    await expect(phone.decide("alice", { signal: caller.signal })).rejects.toThrow("hung up");
    await phone.pass(1);
    await expectBilled(phone, "alice", before, 0);
  });

  it("while the answer to its session is on its way is told so", async () => {
    // After each of the steps between the answer and the call.
    for (let steps = 0; steps < 20; steps++) {
      const phone = new Phone(plane);
      const caller = new AbortController();
      const session: VoiceClient["voice"]["session"] = async (...post) => {
        const receipt = await phone.client.voice.session(...post);
        void (async () => {
          for (let step = 0; step < steps; step++) await undefined;
          caller.abort(new Error("hung up"));
        })();
        return receipt;
      };
      const client = { customers: phone.client.customers, voice: { ...phone.client.voice, session } };
      const opening = phone.decide("alice", { client, signal: caller.signal });
      const call = await opening.then(
        (decision) => (decision.allowed ? decision.call : undefined),
        () => undefined,
      );
      await phone.pass(1);
      expect([steps, call?.state ?? "ended"]).toEqual([steps, "ended"]);
      expect((await phone.gate.status()).held).toBe(0);
    }
  });

  it("before it is opened is none, and nothing is sent", async () => {
    const phone = new Phone(plane);
    await phone.open("alice");
    phone.network.sent.length = 0;
    await expect(phone.decide("alice", { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    expect(phone.network.sent).toEqual([]);
  });

  it("before it is started costs nothing, and has no indicator", async () => {
    const phone = new Phone(plane);
    const before = await phone.available("alice");
    const caller = new AbortController();
    const call = await phone.open("alice", { signal: caller.signal });
    await phone.pass(20);
    caller.abort();
    expect(await phone.passing(call.ended)).toMatchObject({ ending: "aborted", seconds: 0, credits: 0 });
    expect(phone.network.sent).not.toContain(endpoints.voiceIndicator.path);
    await expectBilled(phone, "alice", before, 0);
  });

  const steps: readonly (readonly [string, (call: VoiceCall, book: Book) => void])[] = [
    ["once it is started", (call) => call.start()],
    ["after what was heard", (call, book) => [call.stt(turn.heard), book.hear(turn.heard)]],
    ["after what was asked", (call, book) => [call.llm(turn.asked), book.ask(turn.asked)]],
    ["after what was told", (call, book) => [call.tts(turn.emitted), book.tell(turn.emitted)]],
  ];

  it.each(steps)("%s is billed what was measured", async (_, step) => {
    const phone = new Phone(plane);
    const before = await phone.available("alice");
    const book = new Book();
    const caller = new AbortController();
    const call = await phone.open("alice", { signal: caller.signal });
    book.play(call, turn);
    await phone.pass(3.25);
    book.seconds = 3.25;
    step(call, book);
    caller.abort(new Error("hung up"));
    expect(call.state).toBe("ending");
    expect(call.signal.reason).toEqual(new Error("hung up"));
    const bill = await phone.passing(call.ended);
    expect(bill).toMatchObject({ ending: "aborted", credits: book.total / 1e6, unposted: [] });
    await expectBilled(phone, "alice", before, book.total);
  });

  it("during its last words is billed what was measured", async () => {
    const phone = new Phone(plane);
    const before = await phone.available("dry");
    const caller = new AbortController();
    const call = await phone.open("dry", {
      signal: caller.signal,
      hold: { ahead: 1, reserve: 0.5 },
      onExhausted: ({ call }) => {
        call.tts({ characters: 90 });
        return new Promise(() => {});
      },
    });
    call.start();
    while (call.state === "running") await phone.pass(1);
    caller.abort();
    const bill = await phone.passing(call.ended);
    expect(bill).toMatchObject({ ending: "exhausted", parts: [{ kind: "tts", characters: 90 }] });
    await expectBilled(phone, "dry", before, Math.round(bill.credits * 1e6));
  });

  it("when it has ended already changes nothing", async () => {
    const phone = new Phone(plane);
    const caller = new AbortController();
    const call = await phone.open("alice", { signal: caller.signal });
    call.start();
    const ended = call.end();
    caller.abort();
    expect(await phone.passing(ended)).toMatchObject({ ending: "completed", unposted: [] });
  });
});

describe("run", () => {
  /** Runs the handler, and tells how the call ended and what its book says. */
  async function runs(
    handler: (call: VoiceCall, book: Book, phone: Phone, caller: AbortController) => Promise<void>,
  ): Promise<{ readonly ending: VoiceEnding | Error }> {
    const phone = new Phone(plane);
    const before = await phone.available("alice");
    const book = new Book();
    const caller = new AbortController();
    const call = await phone.open("alice", { signal: caller.signal });
    const running = call.run((same) => {
      expect(same).toBe(call);
      expect(call.state).toBe("running");
      return handler(call, book, phone, caller);
    });
    const ending = await phone.passing(running.catch((error: Error) => error));
    const bill = await phone.passing(call.ended);
    book.seconds = bill.seconds;
    expect(bill.credits).toBe(book.total / 1e6);
    await expectBilled(phone, "alice", before, book.total);
    return { ending };
  }

  it("ends the call with its handler", async () => {
    const { ending } = await runs(async (call, book) => book.play(call, turn));
    expect(ending).toBe("completed");
  });

  it("bills what was measured when its handler throws, and throws it", async () => {
    const { ending } = await runs(async (call, book) => {
      book.play(call, turn);
      throw new Error("crashed");
    });
    expect(ending).toEqual(new Error("crashed"));
  });

  it("bills what its handler reports within a second of the signal, and throws nothing", async () => {
    const { ending } = await runs(async (call, book, phone, caller) => {
      caller.abort();
      await phone.clock.advance(500);
      book.play(call, turn);
      call.signal.throwIfAborted();
    });
    expect(ending).toBe("aborted");
  });

  it("waits for no handler that does not stop", async () => {
    const { ending } = await runs(async (call, book, _phone, caller) => {
      book.play(call, turn);
      caller.abort();
      await new Promise(() => {});
    });
    expect(ending).toBe("aborted");
  });

  it("throws what the handler throws at once, and for a call that has ended", async () => {
    const phone = new Phone(plane);
    const call = await phone.open("alice");
    const thrown = expect(
      call.run(() => {
        throw new Error("at once");
      }),
    ).rejects.toThrow("at once");
    await phone.passing(call.ended);
    await thrown;
    await expect(call.run(() => {})).rejects.toThrow("aborted");
  });
});

describe("end", () => {
  it("takes the duration and the outcome from elsewhere, once", async () => {
    const phone = new Phone(plane);
    const before = await phone.available("alice");
    const call = await phone.open("alice");
    call.start();
    await phone.pass(30);
    const ended = call.end({ seconds: 27, indicator: "transferred" });
    expect(call.end({ seconds: 99 })).toBe(ended);
    const bill = await phone.passing(ended);
    expect(bill).toMatchObject({ seconds: 27, indicator: "transferred", credits: 3.7 });
    await expectBilled(phone, "alice", before, 3_700_000);
  });

  it("is the end of what is measured: later measures are refused", async () => {
    const phone = new Phone(plane);
    const call = await phone.open("alice");
    call.start();
    const ended = call.end();
    for (const measure of [() => call.start(), () => call.tts({ characters: 1 })]) {
      expect(measure).toThrow('call: expected one that goes on, received "ending"');
    }
    expect((await phone.passing(ended)).parts).toEqual([]);
  });

  it("is that of the gate: a call that goes on when its gate closes is billed", async () => {
    const phone = new Phone(plane);
    const before = await phone.available("alice");
    const book = new Book();
    const call = await phone.open("alice");
    book.play(call, turn);
    await phone.pass(2);
    const closing = phone.gate.close({ graceMs: 10_000 });
    await phone.pass(9);
    expect(call.state).not.toBe("running");
    const bill = await phone.passing(call.ended);
    expect(bill).toMatchObject({ ending: "closed", unposted: [] });
    await phone.passing(closing);
    book.seconds = bill.seconds;
    expect(before - (await phone.available("alice"))).toBe(book.total);
  });

  it("is that of the gate: when close() resolves, and a process may end, the service has the bill", async () => {
    const phone = new Phone(plane);
    const call = await phone.open("alice");
    // Its handler does not stop.
    const running = call.run(() => new Promise(() => {}));
    call.stt({ seconds: 3 });
    await phone.pass(2);
    const left = await phone.passing(phone.gate.close({ graceMs: 10_000 }));
    expect([left.open, call.state]).toEqual([0, "ended"]);
    expect(await call.ended).toMatchObject({ ending: "closed", unposted: [] });
    await running;
  });
});
