import type { LanguageModel } from "ai";
import type { Express, Request, Response } from "express";
import type { Books } from "./books.ts";

/** A model that the AI SDK 5 and 6 take. */
export type Model = Extract<LanguageModel, { readonly specificationVersion: "v2" }>;

/** A call of the contestant to its billing service. */
export interface Call {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON; `undefined` without a body. The contestant's package has written it: its adapter here reads it. */
  readonly body: unknown;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** What a route of the application has at hand: the same for every contestant. */
export interface Work {
  /** Where the billing service answers. */
  readonly serviceUrl: string;
  /** Whose request it is. */
  customerOf(request: Request): string;
  /** The work of a JSON request: 20 ms, one token, one credit. */
  answer(request: Request): Promise<{ readonly text: string }>;
  /** The model of a stream: 100 tokens in a second, a credit each. */
  model(request: Request): Model;
  /** Streams the model's text by the AI SDK, with the signal of a client that leaves. */
  stream(
    request: Request,
    response: Response,
    options?: { readonly model?: Model; readonly onFinish?: (tokens: number) => unknown },
  ): Promise<void>;
}

/** The tokens of a whole stream. */
export const streamTokens = 100;

/** One way to let only paying customers in, and to bill them. */
export interface Contestant {
  readonly title: string;
  /** Whose versions the table names. */
  readonly packages: readonly string[];
  /** Whether it bills what it lets in. A rate limiter does not. */
  readonly bills?: boolean;
  /** The wire API of its billing service. */
  respond(call: Call, books: Books): Answer;
  /** Adds `POST /chat` and `POST /stream`, gated as its documentation says. */
  mount(app: Express, work: Work): unknown;
  /** Reads what its clients need to know of the application. */
  learn?(url: string): Promise<void>;
  /** What its clients send along. */
  headers?(customer: string, path: string): Readonly<Record<string, string>>;
}
