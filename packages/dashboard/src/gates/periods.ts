/** How far back decisions are counted, by the word in the address. */
export const periods = {
  "15m": { label: "15 min", minutes: 15 },
  "1h": { label: "1 h", minutes: 60 },
  "24h": { label: "24 h", minutes: 1_440 },
} as const;
