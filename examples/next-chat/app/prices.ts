/** The longest answer that the model is asked for: it bounds what a message costs, and so what is held for it. */
export const longestAnswer = 50;
export const price = (outputTokens: number): number => outputTokens / 100;
/** What a model call costs: what is read is free. */
export const prices = ({ outputTokens = 0 }: { readonly outputTokens?: number | undefined }): number =>
  price(outputTokens);

export const topUpCredits = 2;
export const plans = {
  plus: { name: "Plus", euros: 5, credits: 5 },
  pro: { name: "Pro", euros: 15, credits: 20 },
} as const;
export type Plan = keyof typeof plans;
