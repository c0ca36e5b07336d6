import type { WalletKind } from "@creditgate/core";
import type { AccountFigures, Hold } from "@creditgate/core/adapter";
import type { LeaseContext } from "./lease-context.ts";
import type { SyncRequest, SyncResponse } from "./shared-store.ts";

/** A hold that memory cannot answer. */
interface WaitingHold extends AskedHold {
  /** The sync that has said it; `undefined` while none has. */
  sentIn: number | undefined;
  readonly answer: (result: Hold | AccountFigures) => void;
}

interface AskedHold {
  readonly amount: number;
  /** It is held with less than the amount, but not with less than this. */
  readonly least: number;
  readonly kind: WalletKind;
  /** On the clock of the process: an older balance must not admit it. */
  readonly notBefore: number;
}

/** What holds that wait need of their account. */
interface WaitedAccount {
  /** Whether the reservation may be used, by a balance that is not older. */
  mayUse(notBefore: number): boolean;
  /** The hold, if the reservation has room for it, or for the least of it. */
  take(amount: number, least: number): Hold | undefined;
  figures(kind: WalletKind): AccountFigures;
  /** Speaks again in a moment. */
  poll(): void;
}

/** The holds of an account that wait for the store, in the order in which they came. */
export class WaitingHolds {
  readonly #context: Pick<LeaseContext, "clock" | "timeoutMs">;
  readonly #account: WaitedAccount;
  #holds: WaitingHold[] = [];
  /** A recall has been asked for since holds began to wait. */
  #hasRecalled = false;
  #wasDenied = false;

  constructor(context: Pick<LeaseContext, "clock" | "timeoutMs">, account: WaitedAccount) {
    this.#context = context;
    this.#account = account;
  }

  get none(): boolean {
    return this.#holds.length === 0;
  }

  get first(): Pick<WaitingHold, "kind"> | undefined {
    return this.#holds[0];
  }

  /** Whether the last sync that said them was denied. */
  get wasDenied(): boolean {
    return this.#wasDenied;
  }

  /** Resolves when an answer of the store decides, and as unsure if none does in time. */
  wait(asked: AskedHold): Promise<Hold | AccountFigures> {
    const { clock, timeoutMs } = this.#context;
    return new Promise((resolve) => {
      const hold: WaitingHold = {
        ...asked,
        sentIn: undefined,
        answer: (result) => {
          cancel();
          resolve(result);
        },
      };
      const cancel = clock.schedule(timeoutMs, () => {
        this.#remove(hold);
        resolve(this.#unsure(hold));
      });
      this.#holds.push(hold);
    });
  }

  /** What a sync says of them: one sync is for wallets of one kind. */
  fieldsFor(seq: number): Pick<SyncRequest, "first" | "need" | "recall"> {
    const [first] = this.#holds;
    if (first === undefined) return { first: 0, need: 0, recall: false };
    let need = 0;
    for (const hold of this.#holds) {
      if (hold.kind !== first.kind) continue;
      hold.sentIn ??= seq;
      need = Math.min(need + hold.amount, Number.MAX_SAFE_INTEGER);
    }
    return { first: first.least, need, recall: need > 0 && !this.#hasRecalled };
  }

  /** Answers those that the answer to this sync decides on. */
  receive(request: SyncRequest, response: SyncResponse): void {
    const isAdmitted = this.#serve(request);
    if (response.status === "ok") this.#turnAway(request, response);
    if (request.recall) this.#hasRecalled = true;
    if (!this.none && !isAdmitted) return;
    this.#hasRecalled = false;
    this.#wasDenied = false;
  }

  /** Admits what fits, in order. */
  #serve({ kind }: SyncRequest): boolean {
    let isAdmitted = false;
    for (let [next] = this.#holds; next?.kind === kind; [next] = this.#holds) {
      const hold = this.#account.mayUse(next.notBefore)
        ? this.#account.take(next.amount, next.least)
        : undefined;
      if (hold === undefined) break;
      this.#remove(next);
      next.answer(hold);
      isAdmitted = true;
    }
    return isAdmitted;
  }

  #turnAway({ seq, first, need }: SyncRequest, { calm, denied, waiting }: SyncResponse): void {
    if (need === 0) return;
    if (calm) this.#wasDenied = denied;
    if (!calm) this.#end(seq, () => true, this.#unsure);
    // Unused credits of other processes are requested before anything is denied.
    else if (denied && waiting > 0) this.#account.poll();
    else if (denied) this.#end(seq, ({ least }) => least >= first, this.#denied);
    else this.#end(seq, ({ notBefore }) => !this.#account.mayUse(notBefore), this.#unsure);
  }

  /** Answers those of them that this sync has said, or one before it. */
  #end(
    seq: number,
    which: (hold: WaitingHold) => boolean,
    figures: (hold: WaitingHold) => AccountFigures,
  ): void {
    const isEnded = (hold: WaitingHold) => hold.sentIn !== undefined && hold.sentIn <= seq && which(hold);
    const ended = this.#holds.filter(isEnded);
    this.#holds = this.#holds.filter((hold) => !isEnded(hold));
    for (const hold of ended) hold.answer(figures(hold));
  }

  #remove(hold: WaitingHold): void {
    this.#holds = this.#holds.filter((other) => other !== hold);
  }

  readonly #denied = ({ kind }: WaitingHold): AccountFigures => this.#account.figures(kind);

  readonly #unsure = ({ kind }: WaitingHold): AccountFigures => ({
    ...this.#account.figures(kind),
    isUnsure: true,
  });
}
