/** The number of an invoice, as it is shown. Each organisation counts by itself, without gaps. */
export function invoiceNumber(number: bigint | null): string | null {
  return number === null ? null : `INV-${number}`;
}

/** The number of a credit note, as it is shown: a series of its own. */
export function creditNoteNumber(number: bigint): string {
  return `CN-${number}`;
}
