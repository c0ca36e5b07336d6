/** Controls that change the direction of the text after them, or are not seen; joiners stay, of which emojis are made. */
const unseen = /[\p{Cc}\u200b\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** A text that people wrote, with the control characters in it as what they are: `[U+202E]`. */
export function visible(text: string): string {
  return text.replace(unseen, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `[U+${code}]`;
  });
}
