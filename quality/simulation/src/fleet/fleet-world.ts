import { MemoryOutboxStore } from "@creditgate/conformance";
import {
  createManualClock,
  createRandom,
  type ManualClock,
  microtasks,
  type Random,
} from "@creditgate/core/testing";
import {
  createFleetOutbox,
  type FleetOutbox,
  type OutboxStore,
  type SharedStore,
  type SyncRequest,
  type SyncResponse,
} from "@creditgate/fleet";
import { FleetClock } from "./fleet-clock.ts";
import type { FleetGate, FleetReport } from "./fleet-gate.ts";
import { FleetProcess } from "./fleet-process.ts";
import { drawFleet, type FleetScenario } from "./fleet-scenario.ts";
import { FleetStore } from "./fleet-store.ts";
import { FleetWallet } from "./fleet-wallet.ts";
import { type OutboxHome, outboxAbandonMs } from "./outbox-home.ts";

/** Options of `simulateFleet`. */
export interface FleetOptions {
  /** Decides everything that happens; a whole number, 0 or more. */
  readonly seed: number;
  /** Whether to write down what happens. @default false */
  readonly trace?: boolean;
  /** The settlement lag in the processes' options, as a share of the real one. @default 1 */
  readonly lagFactor?: number;
  /** Whether a report leaves its outbox when it is delivered, before the store has counted it. @default false */
  readonly forgetsAtOnce?: boolean;
  /** Whether the store is in another epoch when an older one has taken its place, or a part of it is gone. @default true */
  readonly detectsRestarts?: boolean;
  /** What is otherwise than the seed draws it. */
  readonly scenario?: Partial<FleetScenario>;
  /** Lets promises run between two instants. @default 25 rounds of microtasks */
  readonly drain?: () => Promise<void>;
}

/** A process that has died, and what it may have had on its way. */
interface Dead {
  readonly at: number;
  readonly process: FleetProcess;
}

/** The service, the store, four processes and the network between them. */
export class FleetWorld {
  readonly random: Random;
  readonly scenario: FleetScenario;
  readonly clock: ManualClock;
  readonly wallet: FleetWallet;
  readonly store: FleetStore;
  /** That of the outboxes that share one. */
  readonly #outboxes: MemoryOutboxStore;
  readonly processes: FleetProcess[] = [];
  readonly trace: string[] = [];
  readonly verdicts = { admitted: 0, denied: 0, unknown: 0 };
  syncs = 0;
  reports = 0;
  restarts = 0;
  /** What may be overspent, by the faults so far: see docs/design/fleet.md. */
  bound = 0;
  violation: string | undefined;
  isQuiet = false;
  readonly #options: FleetOptions;
  readonly #dead: Dead[] = [];
  readonly #cut = new Set<FleetProcess>();
  #hasLostMemory = false;
  #steppedBackAt = 0;
  /** The largest step back of the store's clock. After a pause of the store its time is then behind by up to that. */
  #behindMs = 0;
  #refusesUntil = 0;
  /** When the balance request left that the store has let go at this instant of an epoch. */
  readonly #leftAt = new Map<string, number>();

  constructor(options: FleetOptions) {
    this.#options = options;
    this.random = createRandom(options.seed);
    this.scenario = { ...drawFleet(this.random.fork()), ...options.scenario };
    this.clock = createManualClock({ drain: options.drain ?? (() => microtasks(25)) });
    this.wallet = new FleetWallet(this.clock, this.scenario.funds, this.scenario.extended);
    this.store = new FleetStore(
      this.clock,
      this.scenario.isNew,
      options.detectsRestarts ?? true,
      this.scenario.faults.aheadMs,
    );
    this.#outboxes = new MemoryOutboxStore(() => this.clock.now());
    for (const [index, durable] of this.scenario.durable.entries()) {
      const count = durable && index === 0 ? this.scenario.gates : 1;
      const homes = Array.from({ length: count }, (_, at) => this.#home(`process ${index}.${at}`));
      const process = this.#create(durable, homes);
      for (const _ of homes) process.open();
      this.processes.push(process);
    }
  }

  note(text: () => string): void {
    if (this.#options.trace === true)
      this.trace.push(`${String(this.clock.now()).padStart(6)} ms  ${text()}`);
  }

  violated(message: string): void {
    this.note(() => `VIOLATION: ${message}`);
    this.violation ??= message;
  }

  at(instant: number, run: () => void): void {
    this.clock.schedule(Math.max(0, instant - this.clock.now()), run);
  }

  /** One of the processes that there are now. */
  pick(): number {
    return this.random.integer(0, this.processes.length - 1);
  }

  process(index: number): FleetProcess {
    const process = this.processes[index];
    if (process === undefined) throw new Error(`no process ${index}`);
    return process;
  }

  /** A request arrives; if it is let in, its work is done. */
  arrive(index: number): void {
    const process = this.process(index);
    const { gates } = process;
    const hold = this.random.integer(1, 30);
    const gate = process.gate(gates.length > 1 ? this.random.integer(0, gates.length - 1) : 0);
    process.clock.deliver(() => void this.#serve(process, gate, index, hold));
  }

  async #serve(process: FleetProcess, gate: FleetGate, index: number, amount: number): Promise<void> {
    const { random } = this;
    const draws = {
      cost: random.chance(0.8) ? amount : random.integer(0, amount),
      fails: random.chance(0.1),
    };
    const workMs = random.integer(1, random.chance(0.05) ? 3_000 : 150);
    const arrival = this.clock.now();
    // Some may be let in with less.
    const least = amount % 5 === 0 ? Math.ceil(amount / 3) : amount;
    const { verdict, hold } = await gate.ask(amount, least);
    const leftAt = this.#leftAt.get(gate.received) ?? 0;
    // How long the store was silent when its clock stepped back it cannot know: a balance of before looks younger by that.
    const isOlder = leftAt + this.#behindMs < arrival && leftAt > this.#steppedBackAt;
    if (verdict === "denied" && isOlder) {
      this.violated("a request was denied by a balance that was asked for before it came");
    }
    this.verdicts[verdict]++;
    this.note(() => `process ${index}: ${verdict} ${amount}`);
    if (hold === undefined) return;
    const held = hold.amount;
    if (held < least || held > amount) this.violated(`${held} were held of ${least} to ${amount}`);
    process.clock.schedule(workMs, () => {
      if (draws.fails) gate.release(hold);
      else void gate.settle(hold, `report ${++this.reports}`, Math.min(held, draws.cost));
    });
  }

  /** The process dies without a sync; another one starts, on the same outboxes if those last: on one after the other. */
  kill(index: number): void {
    const process = this.process(index);
    if (process.clock.isDead) return;
    this.note(() => `process ${index} dies`);
    process.clock.die();
    // What it has reported since it woke it can register no more.
    for (const gate of process.gates)
      if (this.#wasSilent(process, gate)) this.bound += Math.min(gate.inUse, gate.inUseWhenStopped);
    this.#dead.push({ at: this.clock.now(), process });
    this.clock.schedule(this.random.integer(10, 2_000), () => {
      this.note(() => `process ${index} starts again`);
      this.restarts++;
      const { homes } = process;
      const next = this.#create(process.durable, homes);
      next.open();
      for (const _ of homes.slice(1)) next.clock.schedule(this.random.integer(10, 5_000), () => next.open());
      this.processes[index] = next;
    });
  }

  stop(index: number, forMs: number, sleeps: boolean): void {
    this.note(() => `process ${index} ${sleeps ? "sleeps" : "stops"} for ${forMs} ms`);
    this.process(index).stop(forMs, sleeps);
  }

  cut(index: number, forMs: number): void {
    const process = this.process(index);
    this.note(() => `process ${index} is cut off for ${forMs} ms`);
    this.#cut.add(process);
    this.clock.schedule(forMs, () => this.#cut.delete(process));
  }

  loseMemory(byMs: number, skewMs: number): void {
    const { loss } = this.scenario.faults;
    if (loss === undefined) return;
    this.note(() => `the store: ${loss}${loss === "older" ? ` by ${byMs} ms` : ""}`);
    this.#hasLostMemory = true;
    // What a process that has just died had on its way is in no reservation any more, nor in any outbox.
    for (const { at, process } of this.#dead) {
      if (process.durable || this.clock.now() - at > 1_500) continue;
      for (const { reports } of process.gates) {
        for (const { id, amount } of reports) if (!this.wallet.has(id)) this.bound += amount;
      }
    }
    if (loss === "older") {
      this.store.fallBack(byMs, skewMs);
      this.#behindMs = Math.max(this.#behindMs, -skewMs);
    } else if (loss === "emptied") this.store.empty();
    else this.store.lose(loss);
  }

  /** The service takes no reports. */
  refuseReports(forMs: number): void {
    this.note(() => `the service takes no reports for ${forMs} ms`);
    this.#refusesUntil = Math.max(this.#refusesUntil, this.clock.now() + forMs);
  }

  /** The clock of the store has been ahead, and is put right. */
  setClock(): void {
    this.note(() => "the clock of the store steps back");
    this.#steppedBackAt = this.clock.now();
    this.#behindMs = Math.max(this.#behindMs, this.scenario.faults.aheadMs);
    this.store.setClock();
  }

  /** Where an outbox is kept: beside the others, or by itself, as a file is. */
  #home(name: string): OutboxHome {
    const { outboxes } = this.scenario;
    if (outboxes === "own")
      return { store: new MemoryOutboxStore(() => this.clock.now()), name, isShared: false };
    return { store: this.#outboxes, name: outboxes === "named" ? name : undefined, isShared: true };
  }

  #openOutbox(process: FleetProcess, { store, name, isShared }: OutboxHome): FleetOutbox {
    const reach =
      <Args extends unknown[], T>(step: (...args: Args) => Promise<T>) =>
      (...args: Args) =>
        this.#reach(process, isShared, () => step(...args));
    const reached: OutboxStore = {
      heartbeat: reach((heartbeat) => store.heartbeat(heartbeat)),
      write: reach((step) => {
        this.note(() => `  outbox ${JSON.stringify({ ...step, process: step.process.slice(0, 4) })}`);
        return store.write(step);
      }),
      read: reach((...place) => store.read(...place)),
      takeRequests: reach((id) => store.takeRequests(id)),
      list: (after) => store.list(after),
      request: (requests) => store.request(requests),
    };
    return createFleetOutbox(reached, { process: name, abandonMs: outboxAbandonMs, clock: process.clock });
  }

  /** A step of an outbox on its way to its store, and the answer back. */
  #reach<T>(process: FleetProcess, isShared: boolean, step: () => Promise<T>): Promise<T> {
    const netMs = isShared ? this.scenario.netMs : 1;
    const isCut = () => isShared && this.#cut.has(process);
    return new Promise((resolve, reject) => {
      if (process.clock.isDead) return;
      const cancel = this.clock.schedule(4 * netMs + 10, () =>
        process.clock.deliver(() => reject(new Error("no answer"))),
      );
      if (isCut() || (isShared && this.#fails())) return;
      this.clock.schedule(this.random.integer(1, netMs), async () => {
        const answer = await step();
        if (isShared && this.#fails()) return;
        this.clock.schedule(this.random.integer(1, netMs), () => {
          if (isCut()) return;
          cancel();
          process.clock.deliver(() => resolve(answer));
        });
      });
    });
  }

  #create(durable: boolean, homes: readonly OutboxHome[]): FleetProcess {
    const clock = new FleetClock(this.clock);
    const store: SharedStore = { exchange: (_account, request) => this.#send(process, request) };
    const process: FleetProcess = new FleetProcess({
      scenario: this.scenario,
      clock,
      store,
      homes,
      openOutbox: (home) => this.#openOutbox(process, home),
      durable,
      random: this.random.next,
      lagFactor: this.#options.lagFactor ?? 1,
      forgetsAtOnce: this.#options.forgetsAtOnce ?? false,
      read: () => this.#read(clock),
      post: (report) => this.#post(clock, report),
    });
    return process;
  }

  /** A sync on its way to the store, and its answer back. */
  #send(process: FleetProcess, request: SyncRequest): Promise<SyncResponse> {
    const { netMs } = this.scenario;
    const { random } = this;
    this.syncs++;
    return new Promise((resolve, reject) => {
      const cancel = this.clock.schedule(4 * netMs + 10, () =>
        process.clock.deliver(() => reject(new Error("no answer"))),
      );
      if (this.#cut.has(process)) return;
      const outMs = random.integer(1, netMs);
      if (!this.#fails()) {
        this.clock.schedule(outMs, () => {
          if (this.#cut.has(process) && random.chance(0.5)) return;
          const answer = this.#exchange(process, request);
          if (this.#fails()) return;
          this.clock.schedule(random.integer(1, netMs), () => {
            if (this.#cut.has(process)) return;
            cancel();
            process.clock.deliver(() => {
              process.gateOf(request.id).receive(request, answer);
              resolve(answer);
            });
          });
        });
      }
      if (this.#fails()) {
        // Some copies come when all has been forgotten that was said meanwhile.
        const lateMs = random.chance(0.2) ? random.integer(2_000, 8_000) : random.integer(1, 600);
        this.clock.schedule(outMs + lateMs, () => this.#exchange(process, request, true));
      }
    });
  }

  #fails(): boolean {
    return this.scenario.faults.isLossy && !this.isQuiet && this.random.chance(0.05);
  }

  /** The step, and what it adds to the bound: what the store must take although it knew nothing of it. */
  #exchange(process: FleetProcess, request: SyncRequest, isCopy = false): SyncResponse {
    let known = this.store.reservationOf(request.id);
    for (const id of request.retire ?? []) known += this.store.reservationOf(id);
    const answer = this.store.exchange(request);
    this.note(() => `  sync ${JSON.stringify({ ...request, id: request.id.slice(0, 4), terms: 0 })}`);
    this.note(() => `    ${JSON.stringify({ ...answer, epoch: answer.epoch.slice(-4) })}`);
    if (answer.status !== "ok") return answer;
    if (answer.refresh === "go") this.#leftAt.set(`${answer.epoch}:${answer.now}`, this.clock.now());
    const forced = request.base + request.acked - known;
    if (forced > 0) this.#forced(process, request, answer, forced);
    // A late copy is no sync of a process that has fallen silent since.
    if (!isCopy) process.gateOf(request.id).lastSeen = this.clock.now();
    return answer;
  }

  #forced(process: FleetProcess, request: SyncRequest, { now, born }: SyncResponse, forced: number): void {
    const gate = process.gateOf(request.id);
    const wasSilent = this.#wasSilent(process, gate);
    // Else it is counted a second time: a sync was processed, and its answer was lost for longer than a lease.
    if (!this.#hasLostMemory && !wasSilent) return;
    // What was lost is registered in time: within the quarantine nothing is granted beside it.
    if (!wasSilent && now < born + request.terms.leaseMs) return;
    const hasStopped = this.clock.now() - process.stoppedUntil < 600;
    this.bound += hasStopped ? Math.min(forced, gate.inUseWhenStopped) : forced;
    this.note(() => `the bound is ${this.bound}`);
  }

  /** For so long that the store has taken its reservation for usage. */
  #wasSilent(process: FleetProcess, gate: FleetGate): boolean {
    return !process.durable && this.clock.now() - gate.lastSeen > this.scenario.abandonMs;
  }

  async #read(clock: FleetClock): Promise<ReturnType<FleetWallet["read"]> | undefined> {
    const { netMs } = this.scenario;
    const isLost = this.#fails();
    await this.#passage(this.random.integer(1, netMs));
    const balance = this.wallet.read();
    await this.#passage(this.random.integer(1, netMs));
    return new Promise((resolve) => clock.deliver(() => resolve(isLost ? undefined : balance)));
  }

  /** Sent until the service has it and has said so. */
  #post(clock: FleetClock, report: FleetReport): Promise<void> {
    const { netMs, lagMs } = this.scenario;
    const { random } = this;
    return new Promise((resolve) => {
      let isOver = false;
      const send = () => {
        if (isOver) return;
        clock.schedule(4 * netMs + 20, send);
        if (this.#fails() || this.clock.now() < this.#refusesUntil) return;
        this.clock.schedule(random.integer(1, netMs), () => {
          const debitedInMs = random.chance(0.5) ? lagMs : random.integer(0, lagMs);
          this.wallet.accept(report.id, report.amount, debitedInMs);
          if (this.#fails()) return;
          this.clock.schedule(random.integer(1, netMs), () =>
            clock.deliver(() => {
              isOver = true;
              resolve();
            }),
          );
        });
      };
      send();
    });
  }

  #passage(ms: number): Promise<void> {
    return new Promise((resolve) => this.clock.schedule(ms, resolve));
  }
}
