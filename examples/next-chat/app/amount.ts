/** Credits as the page shows them; never "-0.00". */
export function amount(credits: number): string {
  return (Math.max(0, Math.round(credits * 100)) / 100).toFixed(2);
}
