import type { Json } from "../http/json.ts";
import type { WrittenPrice } from "./terms.ts";

/** A price as the APIs answer it: rates as decimal text, by what they are for. */
export function priceJson({ perUnit, ...rates }: WrittenPrice): Json {
  const json = new Map<string, Json>(
    Object.entries(rates).map(([component, rate]) => [component, String(rate)]),
  );
  if (perUnit !== undefined) {
    json.set("perUnit", new Map(Object.entries(perUnit).map(([name, rate]) => [name, String(rate)])));
  }
  return json;
}
