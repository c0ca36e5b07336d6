import { same } from "../ledger/bench.ts";
import { Life } from "./life.ts";
import type { TwinStores } from "./twin-stores.ts";

type Behaviours = Readonly<Record<string, (stores: TwinStores) => Promise<void>>>;

/** What outbox stores must do, each by its name. */
export const outboxStoreBehaviours: Behaviours = {
  async "gives a process a lane at its first beat, and reads there what it has written, in order"(stores) {
    const one = new Life(stores, "one");
    same("its lanes", (await one.join()).lanes.join(), "one");
    await one.add("a", "b");
    await one.write({
      added: [{ text: "c", note: "noted" }],
      noted: [{ place: "0", note: "of a" }],
      dropped: ["1"],
    });
    same("its rows", await stores.read("one", "one"), "a of a\nc noted");
    same("another's", await stores.read("two", "one"), "");
    await one.write({ noted: [{ place: "0", note: "" }] });
    same("without the note", await stores.read("one", "one"), "a \nc noted");
  },

  async "does a step once, and answers its repetition as it did the first time"(stores) {
    const one = new Life(stores, "one");
    await one.join();
    const first = await one.write({ added: [{ text: "a", note: "" }], set: { name: "value" } });
    const again = await one.write({ added: [{ text: "a", note: "" }] }, one.seq);
    same("its places", again.places.join(), first.places.join());
    same("its rows", await stores.read("one", "one"), "a ");
    const { values } = await new Life(stores, "two").join();
    same("what is set for all", values.name, "value");
  },

  async "answers a process that it does not know, or whose last step it does not know, that it is behind"(
    stores,
  ) {
    const one = new Life(stores, "one");
    same("a step", (await one.add("a")).status, "behind");
    same("a beat", (await one.heartbeat()).status, "behind");
    await one.join();
    await one.add("a");
    same("a step too far", (await one.write({ added: [{ text: "c", note: "" }] }, 3)).status, "behind");
    same("a beat of later", (await one.heartbeat({ seq: 2 })).status, "behind");
    same("its rows", await stores.read("one", "one"), "a ");
  },

  async "gives the lanes of a silent process to one that sent heartbeats meanwhile, and answers so when it wakes"(
    stores,
  ) {
    const [silent, alive] = [new Life(stores, "silent"), new Life(stores, "alive")];
    for (const life of [silent, alive]) await life.join();
    await silent.write({ added: [{ text: "a", note: "n" }], begunLedgers: ["ledger"] });
    for (let heartbeat = 0; heartbeat < 2; heartbeat++) {
      await stores.pass(5);
      same("too early", (await alive.heartbeat()).lanes.join(), "alive");
    }
    await stores.pass(1);
    const { lanes, ledgers } = await alive.heartbeat();
    same("its lanes", [...lanes].sort().join(), "alive,silent");
    same("the ledgers", ledgers.join(), "ledger");
    same("its rows", await stores.read("alive", "silent"), "a n");
    same("what the silent one may read", await stores.read("silent", "silent"), "");
    same("a late step", (await silent.add("b")).status, "taken");
    same("a late beat", (await silent.heartbeat()).status, "taken");
  },

  async "finds no process gone after it was away for all of them"(stores) {
    const [one, two] = [new Life(stores, "one"), new Life(stores, "two")];
    for (const life of [one, two]) await life.join();
    await stores.pass(100);
    same("the lanes of the first to come back", (await two.heartbeat()).lanes.join(), "two");
    await stores.pass(5);
    same("a step of the other", (await one.add("a")).status, "ok");
  },

  async "finds a process gone although the clock has stepped back by longer than that takes"(stores) {
    const [silent, alive, later] = ["silent", "alive", "later"].map((name) => new Life(stores, name));
    if (silent === undefined || alive === undefined || later === undefined) throw new Error("no lives");
    for (const life of [silent, alive, later]) await life.join();
    await stores.pass(-100);
    for (let heartbeat = 0; heartbeat < 3; heartbeat++) {
      same("too early", (await alive.heartbeat()).lanes.join(), "alive");
      await stores.pass(5);
    }
    same("the lanes", [...(await alive.heartbeat()).lanes].sort().join(), "alive,later,silent");
    for (const life of [silent, later]) same("a late step", (await life.add("a")).status, "taken");
  },

  async "has no process taken over by one whose clock has stepped back, as long as it sends heartbeats"(
    stores,
  ) {
    const [one, two] = [new Life(stores, "one"), new Life(stores, "two")];
    for (const life of [one, two]) await life.join();
    await stores.pass(-100);
    await two.heartbeat();
    for (let heartbeat = 0; heartbeat < 4; heartbeat++) {
      await stores.pass(5);
      for (const life of [one, two]) same("its lanes", (await life.heartbeat()).lanes.join(), life.process);
    }
  },

  async "gives at once what a process left that has ended, and what the life before had"(stores) {
    const [ended, before] = [new Life(stores, "ended"), new Life(stores, "before", "web-1")];
    for (const life of [ended, before]) await life.join();
    await ended.heartbeat({ leaving: true });
    same("of the one that ended", (await before.heartbeat()).lanes.length, 2);
    const after = new Life(stores, "after", "web-1");
    same("of the life before", [...(await after.join()).lanes].sort().join(), "after,before,ended");
    same("a step of the life before", (await before.add("a")).status, "taken");
  },

  async "ends a lane with its rows, and keeps its ledgers with the process until they end"(stores) {
    const before = new Life(stores, "before", "web-1");
    await before.join();
    await before.write({ added: [{ text: "a", note: "n" }], begunLedgers: ["one", "two"] });
    const after = new Life(stores, "after", "web-1");
    await after.join();
    await after.write({ endedLanes: ["before"], endedLedgers: ["one"] });
    same("the rows", await stores.list(), "");
    const { lanes, ledgers } = await after.heartbeat();
    same("the lanes", lanes.join(), "after");
    same("the ledgers", ledgers.join(), "two");
  },

  async "gives no ledger that a living process has begun too"(stores) {
    const [one, two] = [new Life(stores, "one"), new Life(stores, "two")];
    for (const life of [one, two]) {
      await life.join();
      await life.write({ begunLedgers: ["shared"] });
    }
    await one.heartbeat({ leaving: true });
    same("the ledgers", (await two.heartbeat()).ledgers.join(), "shared");
    const three = new Life(stores, "three");
    await three.join();
    await three.write({ begunLedgers: ["shared"] });
    same("with a third", (await two.heartbeat()).ledgers.join(), "");
  },

  async "reads thousands of rows, and drops thousands at once"(stores) {
    const one = new Life(stores, "one");
    await one.join();
    for (let part = 0; part < 3; part++)
      await one.add(...Array.from({ length: 1_000 }, (_, at) => `${part} ${at}`));
    same("rows", (await stores.read("one", "one")).split("\n").length, 3_000);
    same("seen by operators", (await stores.list()).split("\n").length, 3_000);
    await one.write({ dropped: Array.from({ length: 2_999 }, (_, at) => String(at)) });
    same("the last", await stores.read("one", "one"), "2 999 ");
  },

  async "gives what an operator asks for a row once, to the process that has it then"(stores) {
    const [one, two] = [new Life(stores, "one"), new Life(stores, "two")];
    for (const life of [one, two]) await life.join();
    await one.add("a", "b", "c");
    await two.add("d");
    await stores.request([
      { row: 0, text: "first" },
      { row: 1, text: "of b" },
      { row: 3, text: "of d" },
    ]);
    await stores.request([{ row: 0, text: "second" }]);
    same("what operators see", await stores.list(), "a  own asked\nb  own asked\nc  own\nd  own asked");
    await one.write({ dropped: ["1"] });
    same("of one", (await stores.takeRequests("one")).join(), "0 second");
    same("again", (await stores.takeRequests("one")).join(), "");
    await two.heartbeat({ leaving: true });
    await one.heartbeat();
    same("of the row that it has taken over", (await stores.takeRequests("one")).join(), "3 of d");
    same("what operators see then", await stores.list(), "a  own\nc  own\nd  taken over");
  },
};
