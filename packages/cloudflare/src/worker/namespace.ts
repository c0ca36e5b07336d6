import type { DoneMessage, HoldAnswer, HoldMessage } from "../object/messages.ts";

/** The methods of `CreditWallets` that a gate calls. */
export interface CalledObject {
  hold(message: HoldMessage): Promise<HoldAnswer>;
  done(message: DoneMessage): Promise<void>;
  release(workId: string): Promise<void>;
  renew(workId: string): Promise<void>;
}

/** As much of a binding's namespace as is used. */
export interface ObjectNamespace<Id> {
  idFromName(name: string): Id;
  get(id: Id): CalledObject;
}

/** Finds the object anew: one that has failed a call may not take another by the same stub. */
export type FindObject = () => CalledObject;
