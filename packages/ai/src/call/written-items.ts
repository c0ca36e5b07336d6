/** Items that come in pieces, as a whole, or in pieces and then as a whole: each part of them counts once, in any order. */
export class WrittenItems {
  readonly #items = new Map<unknown, { pieces: number; counted: number }>();

  /** What is new in the next piece of an item. */
  piece(id: unknown, text: string): string {
    const item = this.#item(id);
    item.pieces += text.length;
    return newIn(item, text, item.pieces);
  }

  /** What is new in the whole of an item. */
  whole(id: unknown, text: string): string {
    return newIn(this.#item(id), text, text.length);
  }

  #item(id: unknown) {
    const item = this.#items.get(id) ?? { pieces: 0, counted: 0 };
    this.#items.set(id, item);
    return item;
  }
}

function newIn(item: { counted: number }, text: string, length: number): string {
  const count = length - item.counted;
  if (count <= 0) return "";
  item.counted = length;
  return text.slice(-count);
}
