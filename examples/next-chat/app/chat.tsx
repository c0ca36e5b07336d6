"use client";

import { Paywall, useCredits } from "@creditgate/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ask } from "./answer.ts";
import { type Customer, Header } from "./header.tsx";
import { type Message, Messages } from "./messages.tsx";
import { useWays } from "./ways.ts";

export function Chat(props: { customer: string; customers: readonly Customer[] }) {
  const { customer, customers } = props;
  const credits = useCredits();
  const ways = useWays();
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const [hasFailed, setFailed] = useState(false);
  const [asking, setAsking] = useState<AbortController>();
  /** What a screen reader says. */
  const [said, setSaid] = useState("");
  const question = useRef<HTMLInputElement>(null);

  // At first, and when the button that was pressed has gone with the paywall.
  const denied = credits.denial !== undefined;
  useEffect(() => {
    if (!denied) question.current?.focus();
  }, [denied]);
  // A reader who leaves pays for what has been said, and for no more.
  useEffect(() => () => asking?.abort(), [asking]);

  async function send(text: string, route: "chat" | "guide" = "chat"): Promise<void> {
    if (text === "" || asking !== undefined) return;
    const controller = new AbortController();
    setAsking(controller);
    setFailed(false);
    setSaid("Answering");
    question.current?.focus();
    const id = messages.length;
    const show = (answer: string, state?: "speaking" | "stopped") => {
      const model = { id: id + 1, who: "model", text: answer, ...(state && { state }) } as const;
      setMessages([...messages, { id, who: "you", text }, model]);
    };
    const admitted = () => {
      // Shows what is held for the answer.
      void credits.invalidate();
      // A question that was turned away stays, to be asked again.
      if (question.current) question.current.value = "";
    };
    const outcome = await ask(route, text, {
      fetch: credits.fetch,
      signal: controller.signal,
      onText(answer) {
        if (answer === "") admitted();
        show(answer, "speaking");
      },
      onPause: credits.setDenial,
    });
    setAsking(undefined);
    switch (outcome.kind) {
      case "answered":
        show(outcome.text);
        return setSaid(`Model: ${outcome.text}`);
      case "stopped":
        show(outcome.text, "stopped");
        return setSaid(`Stopped after: ${outcome.text}`);
      case "denied":
        return setSaid("");
      case "failed":
        setSaid("");
        return setFailed(true);
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    void send(String(new FormData(form).get("question")).trim());
  }

  return (
    <main>
      <Header customer={customer} customers={customers} />
      <Messages messages={messages} onAsk={send} />
      <div className="notices">
        <Paywall actions={ways} />
        {hasFailed && (
          <p className="problem" role="alert">
            The chat cannot answer at the moment.
          </p>
        )}
      </div>
      <form className="composer" onSubmit={submit}>
        <label className="unseen" htmlFor="question">
          Your question
        </label>
        <input id="question" name="question" ref={question} autoComplete="off" placeholder="Ask something…" />
        {asking ? (
          <button type="button" className="quiet" onClick={() => asking.abort()}>
            Stop
          </button>
        ) : (
          <button type="submit">Ask</button>
        )}
      </form>
      <p className="unseen" role="status">
        {said}
      </p>
    </main>
  );
}
