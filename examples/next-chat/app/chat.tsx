"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { type Denial, Paywall } from "./paywall.tsx";

interface Message {
  readonly id: number;
  readonly who: "you" | "model";
  readonly text: string;
}

export function Chat() {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const [credits, setCredits] = useState<number>();
  const [denial, setDenial] = useState<Denial>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function readWallet(method: "GET" | "POST" = "GET"): Promise<void> {
    const response = await fetch("/api/wallet", { method });
    if (response.ok) setCredits((await response.json()).credits);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens.
  useEffect(() => void readWallet(), []);

  const list = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something new stands at the end.
  useEffect(() => void list.current?.scrollTo({ top: list.current.scrollHeight }), [messages, denial]);

  async function ask(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const question = String(new FormData(form).get("question")).trim();
    if (question === "") return;
    setBusy(true);
    setProblem(undefined);
    try {
      const response = await fetch("/api/chat", { method: "POST", body: question });
      if (response.status === 402) return turnAway(await response.json());
      if (!response.ok) return setProblem("The chat cannot answer at the moment. Nothing was charged.");
      form.reset();
      setDenial(undefined);
      await listen(question, response);
      await readWallet();
    } finally {
      setBusy(false);
    }
  }

  /** What can be spent now: the work that has been done and not been debited yet is off it already. */
  function turnAway(reason: Denial): void {
    setDenial(reason);
    if (reason.available !== undefined) setCredits(Math.max(0, reason.available));
  }

  async function listen(question: string, response: Response): Promise<void> {
    const id = messages.length;
    const asked = [...messages, { id, who: "you", text: question } as const];
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    for (let text = ""; ; ) {
      setMessages([...asked, { id: id + 1, who: "model", text }]);
      const read = await reader?.read();
      if (read?.done !== false) return;
      text += decoder.decode(read.value, { stream: true });
    }
  }

  async function pay(): Promise<void> {
    await readWallet("POST");
    setDenial(undefined);
  }

  return (
    <main>
      <header>
        <h1>Next chat</h1>
        <p className="balance" aria-live="polite">
          <span>Balance</span> <strong>{credits === undefined ? "…" : credits.toFixed(2)}</strong> credits
        </p>
      </header>
      <ol className="messages" aria-live="polite" ref={list}>
        {messages.length === 0 && (
          <li className="empty">Ask something. Each word of the answer costs 0.01 credits.</li>
        )}
        {messages.map(({ id, who, text }) => (
          <li key={id} className={who}>
            <span className="who">{who === "you" ? "You" : "Model"}</span>
            {text || "…"}
          </li>
        ))}
      </ol>
      {denial && <Paywall denial={denial} onPay={pay} />}
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <form onSubmit={ask}>
        <label htmlFor="question">Your question</label>
        <input id="question" name="question" autoComplete="off" placeholder="What is a credit?" />
        <button type="submit" disabled={busy}>
          {busy ? "Answering…" : "Ask"}
        </button>
      </form>
    </main>
  );
}
