import type { Connection } from "./spender.ts";

/** Where a fleet has its store and its outboxes. */
export interface StoreServer {
  readonly connection: Connection;
  /** A new store of this name, without the quarantine of its first use. */
  init(fleet: string): Promise<void>;
  /** Micro-credits that processes have of any wallet of this store. */
  out(fleet: string): Promise<number>;
  stop(): Promise<void>;
}

/** One that a test may crash and empty. */
export interface FragileServer extends StoreServer {
  /** Ends it in the midst of things, and resolves when it is there again. */
  restart(): Promise<void>;
  /** Deletes all that it knows of this fleet. */
  empty(fleet: string): Promise<void>;
}
