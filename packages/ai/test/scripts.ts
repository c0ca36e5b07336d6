import { decode, encode } from "gpt-tokenizer/encoding/o200k_base";

/** A piece of an answer as a model writes it: one token, or several where a character takes as many. */
export interface Piece {
  readonly text: string;
  readonly tokens: number;
}

/** Texts by their script, under the names that the table of docs/models/estimates.md gives them. */
const texts = {
  English: `A wallet holds what a customer has paid for in advance, and each question that is asked takes a little of it away. When
the evening comes and the last of it is gone, the shop does not close its door at once: it says how much is missing, and where more
can be had. Most people find that fair. Some go home and think about it; others pay on the spot, because they want to know how the
story ends, and nobody likes to be sent away in the middle of a sentence. The keeper of the shop writes all of it down in a heavy
book, line after line, and when she is asked whether the book was ever wrong, she smiles and pours the tea.`,
  German: `Eine Geldbörse enthält, was ein Kunde im Voraus bezahlt hat, und jede Frage, die gestellt wird, nimmt ein wenig davon weg.
Wenn der Abend kommt und das Letzte ausgegeben ist, schließt der Laden seine Tür nicht sofort: Er sagt, wie viel fehlt und wo mehr zu
bekommen ist. Die meisten finden das gerecht. Manche gehen nach Hause und denken darüber nach; andere zahlen auf der Stelle, weil sie
wissen möchten, wie die Geschichte ausgeht. Die Besitzerin schreibt alles sorgfältig in ein schweres Buch, Zeile für Zeile.`,
  code: `export async function settle(wallet: Wallet, reports: readonly Report[]): Promise<number> {
  let total = 0;
  for (const { usage, price } of reports) {
    if (usage.tokens < 0) throw new RangeError("tokens: expected 0 or more");
    total += Math.ceil((usage.tokens * price) / 1_000);
  }
  const left = wallet.available - total;
  await wallet.write({ available: Math.max(0, left), overage: Math.max(0, -left) });
  return left;
}

function isEmpty(wallet: Wallet): boolean {
  return wallet.available === 0 && wallet.overage === wallet.limit;
}
`,
  JSON: JSON.stringify(
    {
      customer: "alice",
      wallets: [
        { currency: "ai_credits", kind: "prepaid", available: 41.5, pending: 0 },
        { currency: "voice_credits", kind: "postpaid", used: 12.25, limit: 500 },
      ],
      agents: [{ agentId: "chat", indicators: [{ name: "message", price: { perThousandTokens: 1.5 } }] }],
      opened: "2026-03-14T09:26:53Z",
      active: true,
    },
    null,
    2,
  ),
  Chinese: `钱包里放着顾客预先付的钱，每问一个问题，就会少一点。到了晚上，最后一点也用完的时候，店铺不会马上关门：它会告诉你还差多少，以及在哪里可以再买。大多数人觉得这很公平。有些人回家慢慢想；另一些人当场付钱，因为他们想知道故事的结局。店主把这一切都一行一行地写在一本厚厚的账本里。有人问她账本有没有出过错，她只是笑一笑，再给客人倒一杯茶。`,
  Russian: `В кошельке лежит то, за что клиент заплатил заранее, и каждый заданный вопрос понемногу его опустошает. Когда наступает
вечер и последнее потрачено, лавка не закрывает дверь сразу: она говорит, сколько не хватает и где можно получить ещё. Большинству это
кажется справедливым. Одни идут домой и думают; другие платят тут же, потому что хотят узнать, чем закончится история. Хозяйка аккуратно
записывает всё в тяжёлую книгу, строку за строкой.`,
} as const;

export type Script = keyof typeof texts;

export const scripts = Object.keys(texts) as [Script, ...Script[]];

/** The tokens of a text, by the tokenizer of OpenAI's models. */
export function tokensOf(text: string): number {
  return encode(text).length;
}

/** The pieces of each text. */
export const piecesOf: Readonly<Record<Script, readonly Piece[]>> = Object.fromEntries(
  Object.entries(texts).map(([script, text]) => [script, split(text)]),
) as Record<Script, readonly Piece[]>;

/** A prompt in this script. */
export function promptIn(script: Script): string {
  return texts[script].slice(0, 160);
}

function split(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let waiting: number[] = [];
  for (const token of encode(text)) {
    waiting.push(token);
    const written = decode(waiting);
    // A part of a character is none.
    if (written.includes("\ufffd")) continue;
    pieces.push({ text: written, tokens: waiting.length });
    waiting = [];
  }
  return pieces;
}
