import { randomUUID } from "node:crypto";

/** A UUID (version 7) that begins with its time, so that what is stored together lies together in the indexes. */
export function timedId(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
}
