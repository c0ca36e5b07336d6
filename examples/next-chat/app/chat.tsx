"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Account } from "./account.ts";
import { refresh } from "./actions.ts";
import { amount } from "./amount.ts";
import { ask } from "./answer.ts";
import { type Customer, Header } from "./header.tsx";
import { type Message, Messages, wordsIn } from "./messages.tsx";
import { type Action, type Denial, Paywall } from "./paywall.tsx";
import { price } from "./prices.ts";

export function Chat(props: { customer: string; customers: readonly Customer[]; initial: Account }) {
  const { customer, customers, initial } = props;
  const [account, setAccount] = useState(initial);
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const [denial, setDenial] = useState<Denial>();
  const [problem, setProblem] = useState<string>();
  const [asking, setAsking] = useState<AbortController>();
  const [acting, setActing] = useState(false);
  /** What a screen reader says. */
  const [said, setSaid] = useState("");
  const question = useRef<HTMLInputElement>(null);

  // Also when someone else has signed in: the switch that had the focus is another one then.
  useEffect(() => question.current?.focus(), []);
  // A reader who leaves pays for what has been said, and for no more.
  useEffect(() => () => asking?.abort(), [asking]);

  async function send(text: string): Promise<void> {
    if (text === "" || asking !== undefined) return;
    const controller = new AbortController();
    setAsking(controller);
    setProblem(undefined);
    setSaid("Answering");
    question.current?.focus();
    // Earlier answers have been debited by now. Without the news the chat goes on.
    const before = await refresh().catch(() => account);
    setAccount(before);
    const id = messages.length;
    const show = (answer: string, state?: "speaking" | "stopped") => {
      const model = { id: id + 1, who: "model", text: answer, ...(state && { state }) } as const;
      setMessages([...messages, { id, who: "you", text }, model]);
      // The service debits it when it has ended; the page need not wait for that.
      setAccount({ ...before, credits: before.credits - price(wordsIn(answer)) });
    };
    const admitted = () => {
      setDenial(undefined);
      // A question that was turned away stays, to be asked again.
      if (question.current) question.current.value = "";
    };
    const outcome = await ask(text, controller.signal, (answer) => {
      if (answer === "") admitted();
      show(answer, "speaking");
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
        setSaid("");
        return setDenial(outcome.denial);
      case "failed":
        setSaid("");
        return setProblem("The chat cannot answer at the moment.");
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    void send(String(new FormData(form).get("question")).trim());
  }

  async function act(action: Action): Promise<void> {
    if (acting) return;
    setActing(true);
    setProblem(undefined);
    try {
      const after = await action();
      setAccount(after);
      setSaid(`Balance ${amount(after.credits)} credits`);
      if (denial === undefined || after.credits >= denial.required) {
        setDenial(undefined);
        question.current?.focus();
      } else {
        setDenial({ ...denial, recommendedAction: after.recommendedAction });
      }
    } catch {
      setProblem("That has not worked; nothing has changed. Try again.");
    } finally {
      setActing(false);
    }
  }

  return (
    <main aria-busy={acting}>
      <Header customer={customer} customers={customers} account={account} />
      <Messages messages={messages} onAsk={send} />
      <div className="notices">
        {denial && <Paywall denial={denial} account={account} onAct={act} />}
        {problem && (
          <p className="problem" role="alert">
            {problem}
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
