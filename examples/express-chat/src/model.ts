import type { Usage } from "@creditgate/core";

/** The longest answer that a model is asked for. It bounds what a message costs, and so what is held for it. */
export const longestAnswer = 100;

/** An answer on its way: pieces of text, in order. It ends early, without an error, once its signal is aborted. */
export interface Answer extends AsyncIterable<string> {
  /** What the model has used for it so far. */
  readonly usage: Usage;
}

/** A language model that answers one message with at most {@link longestAnswer} tokens. */
export interface ChatModel {
  answer(message: string, signal: AbortSignal): Answer;
}
