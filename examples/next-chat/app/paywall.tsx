"use client";

/** As much of a denial as the page shows. */
export interface Denial {
  readonly title: string;
  readonly required: number;
  readonly available?: number;
  readonly retryable: boolean;
  readonly recommendedAction?: string;
}

const advice: Readonly<Record<string, string>> = {
  upgrade: "A larger plan would cover this.",
  complete_payment: "A payment is open; complete it to go on.",
  create_order: "Top up to go on, or choose a plan.",
};
const label: Readonly<Record<string, string>> = {
  upgrade: "Upgrade",
  complete_payment: "Complete payment",
};

/** What to do about a 402. */
export function Paywall({ denial, onPay }: { denial: Denial; onPay: () => void }) {
  const { title, required, available = 0, retryable, recommendedAction = "" } = denial;
  return (
    <section className="paywall" role="alert">
      <h2>{title}</h2>
      <p>
        An answer may cost <strong>{required.toFixed(2)}</strong> credits; you can spend{" "}
        <strong>{Math.max(0, available).toFixed(2)}</strong>.{" "}
        {retryable
          ? "Another answer is still being paid for."
          : (advice[recommendedAction] ?? "Top up to go on.")}
      </p>
      <button type="button" onClick={onPay}>
        {label[recommendedAction] ?? "Top up 2 credits"}
      </button>
    </section>
  );
}
