/** The key of a record of words, if the text is one. */
export function keyOf<Words extends object>(words: Words, text: unknown): (keyof Words & string) | undefined {
  const isKey = (key: unknown): key is keyof Words & string =>
    typeof key === "string" && Object.hasOwn(words, key);
  return isKey(text) ? text : undefined;
}
