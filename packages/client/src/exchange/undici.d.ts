/**
 * As much of undici as is called: see `paths` of tsconfig.json. Its own types bring in those of Node, under which this
 * package would compile with what the edge does not have.
 */
export interface Controller {
  abort(reason: Error): void;
}

export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Handler {
  /** Called before the first byte is written. If it throws, the request fails and the connection stays usable. */
  onRequestStart(controller: Controller): void;
  onResponseStart(controller: Controller, status: number, headers: AnswerHeaders): void;
  onResponseData(controller: Controller, chunk: Uint8Array): void;
  onResponseEnd(): void;
  onResponseError(controller: Controller, error: Error): void;
}

export interface PoolOptions {
  readonly connections: number;
  readonly pipelining: number;
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

export interface PoolRequest {
  readonly method: string;
  readonly path: string;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  readonly body: string | undefined;
}

export declare class Pool {
  constructor(origin: string, options: PoolOptions);
  dispatch(request: PoolRequest, handler: Handler): boolean;
}
