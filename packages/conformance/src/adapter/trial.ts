import type { TestRunner } from "../ledger/contract.ts";

/** Something that listens on a loopback address, without a slash at its end. */
export interface RunningServer {
  readonly url: string;
  close(): Promise<unknown>;
}

/** Serves web requests over HTTP in the test's own process. */
export type Serve = (handle: (request: Request) => Promise<Response>) => Promise<RunningServer>;

export interface ExactRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, for any method; without it the request has no body. */
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What one cell of the table of endings asserted: a result, or why there is none. */
export interface EndingCell {
  readonly request: string;
  readonly body: string;
  readonly ending: string;
  readonly result: string;
}

/** An adapter on trial, and what the contract needs of the machine. */
export interface AdapterOnTrial {
  /** Starts an app of `createAdapterApp()` with this control plane, in whatever runtime. */
  start(controlPlaneUrl: string): Promise<RunningServer>;
  readonly serve: Serve;
  /** How long the contract waits for what must come, each time. @default 60_000 */
  readonly patienceMs?: number;
  /** Methods that the runtime lets through beside GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS. @default none */
  readonly methods?: readonly string[];
  /** Whether the adapter sees the promise of its handler: then work has no limit while that is pending. @default true */
  readonly seesHandler?: boolean;
  /** Whether handlers write to Node's response: a web one has neither `end()` nor `drain`. @default false */
  readonly onNode?: boolean;
  /** Whether handlers can give a body to 204 and 304: a web `Response` refuses it. @default `onNode` */
  readonly givesAnyBody?: boolean;
  /** Whether it answers with web responses: then it does not see which one goes out. @default false */
  readonly onWeb?: boolean;
  /** Whether it plays the table of endings alone, as what is no handler of plain HTTP does. @default false */
  readonly endingsAlone?: boolean;
  /** Why the adapter cannot come into this cell of the table of endings. @default it can */
  impossible?(cell: Omit<EndingCell, "result">): string | undefined;
  /**
   * Ways of a client that reads its answer to the end, and of one that leaves: endings play each in turn, as the reason of the signal.
   * @default one of each, without a reason
   */
  readonly ways?: { readonly reading: readonly string[]; readonly leaving: readonly string[] };
  /**
   * Sends a request, as `fetch` would. The headers are these alone (`fetch` says `sec-fetch-mode` itself), and an aborted
   * signal resets the connection: of one that merely ends, some runtimes learn only when they write next.
   */
  send(url: string, request: ExactRequest): Promise<Response>;
}

/** A test of the contract; the cells of the table of endings that it asserted are for reporters. */
export type AdapterTest = () => Promise<void> | Promise<readonly EndingCell[]>;

/** What the contract needs of a test runner: vitest and jest have it. */
export interface SuiteRunner extends Omit<TestRunner, "it"> {
  it(name: string, body: AdapterTest): unknown;
  beforeAll(run: () => Promise<void>): unknown;
  afterAll(run: () => Promise<void>): unknown;
}
