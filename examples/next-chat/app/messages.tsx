import { formatCredits } from "@creditgate/react";
import { price } from "./prices.ts";

export interface Message {
  readonly id: number;
  readonly who: "you" | "model";
  readonly text: string;
  /** `speaking` until it has ended; `stopped` if it was cut short. */
  readonly state?: "speaking" | "stopped";
}

type Ask = (question: string, route?: "guide") => void;

const wordsIn = (text: string): number => text.split(" ").filter((word) => word !== "").length;

const suggestions = ["What is a credit?", "What does an answer cost?", "What if I run out?"];

/** The conversation. It is announced to screen readers elsewhere, answer by answer and not word by word. */
export function Messages(props: { messages: readonly Message[]; onAsk: Ask }) {
  const { messages, onAsk } = props;
  if (messages.length === 0) {
    return (
      <div className="empty">
        <h2>What would you like to know?</h2>
        <p>Each word of an answer costs {formatCredits(price(1))} credits.</p>
        <ul>
          {suggestions.map((question) => (
            <li key={question}>
              <button type="button" className="quiet" onClick={() => onAsk(question)}>
                {question}
              </button>
            </li>
          ))}
          <li>
            <button type="button" className="quiet" onClick={() => onAsk(suggestions.join("\n"), "guide")}>
              All three
            </button>
          </li>
        </ul>
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the arrow keys where there is no mouse.
    <section className="messages" aria-label="Conversation" tabIndex={0}>
      <ol>
        {messages.map(({ id, who, text, state }) => (
          <li key={id} className={who} aria-busy={state === "speaking"}>
            <p className="unseen">{who === "you" ? "You" : "Model"}</p>
            <p>{text}</p>
            {who === "model" && (
              <small>
                {formatCredits(price(wordsIn(text)))} credits{state === "stopped" && ", stopped"}
              </small>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
