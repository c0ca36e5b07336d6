import {
  amount,
  type Draft,
  type Field,
  fields,
  fieldsOf,
  objectText,
  richWallet,
  uncannyNames,
} from "./draft.ts";
import type { Random } from "./random.ts";

/** One step away from a valid answer. Most of them make it invalid, some must change nothing. */
type Mutation = (draft: Draft, random: Random) => void;

/** Every mutation by its name. */
export const mutations: Readonly<Record<string, Mutation>> = {
  "field missing": ({ wallet }, random) => wallet.delete(random.pick(fields)),
  "field null": ({ wallet }, random) => wallet.set(random.pick(fields), "null"),
  "field a string": ({ wallet }, random) => {
    const field = random.pick(fields);
    wallet.set(field, random.pick([`"${wallet.get(field)}"`, '""', '"1e3"', '"Infinity"', '"unlimited"']));
  },
  "field of another type": ({ wallet }, random) =>
    wallet.set(random.pick(fields), random.pick(["true", "false", "[]", "[100]", "{}", '{"value":100}'])),
  "field beyond doubles": ({ wallet }, random) =>
    wallet.set(random.pick(fields), random.pick(["1e309", "-1e309", "1e999"])),
  "field beyond JSON": (draft, random) => {
    const field = random.pick(fields);
    const value = random.pick([Number.NaN, Number.NEGATIVE_INFINITY, 1n, true]);
    draft.afterwards = {
      note: `${field}: ${value}`,
      change(wallet) {
        wallet[field] = value;
      },
    };
  },
  "field huge": ({ kind, wallet }, random) =>
    wallet.set(random.pick(fieldsOf(kind)), random.pick(hugeAmounts)),
  "field tiny": ({ kind, wallet }, random) =>
    wallet.set(random.pick(fieldsOf(kind)), random.pick(tinyAmounts)),
  "field negative": ({ wallet }, random) => wallet.set(random.pick(fields), `-${amount(random)}`),
  "limit negative": ({ kind, wallet }, random) =>
    wallet.set(limitOf[kind], random.pick(["-1", "-1e-7", "-0.000001", "-1e308", "-0"])),
  "field of the other kind": ({ kind, wallet }, random) =>
    wallet.set(random.pick(fieldsOf(otherOf[kind])), random.pick(["1", "1e-9", "1e9", "-1", "0", "-0"])),
  "kinds swapped": ({ wallet }) => {
    for (const [one, other] of counterparts) {
      const [first = "0", second = "0"] = [wallet.get(one), wallet.get(other)];
      wallet.set(one, second).set(other, first);
    }
  },
  "all zeros": ({ wallet }) => {
    for (const field of fields) wallet.set(field, "0");
  },
  "fields renamed": ({ wallet }, random) => {
    const field = random.pick(fields);
    const text = wallet.get(field) ?? "0";
    wallet.delete(field);
    wallet.set(random.pick([field.toUpperCase(), `${field} `, `${field}s`]), text);
  },
  "field repeated": ({ wallet }, random) => {
    const field = random.pick(fields);
    // JSON.parse takes the last of two members with one name.
    wallet.set("note", `0,"${field}":${random.pick(["1", "null", '"7"'])}`);
  },
  "fields added": ({ wallet, body }, random) => {
    wallet.set(
      random.pick(["credits", "limit", "isUnlimited", "__proto__", ...uncannyNames]),
      random.pick(extras),
    );
    body.set(random.pick(["error", "wallets", ...uncannyNames]), random.pick(extras));
  },
  "field in __proto__": ({ kind, wallet }, random) => {
    wallet.delete(random.pick(fields));
    wallet.set("__proto__", richWallet(kind));
  },
  "field inherited": (draft, random) => {
    const field = random.pick(fields);
    draft.wallet.delete(field);
    draft.afterwards = {
      note: `${field} from its prototype`,
      change: (wallet) => Object.setPrototypeOf(wallet, { [field]: 1_000_000 }),
    };
  },
  "wallet another type": (draft, random) => {
    draft.instead.wallet = random.pick(notObjects);
  },
  "wallet in an array": (draft) => {
    draft.instead.wallet = `[${objectText(draft.wallet)}]`;
  },
  "wallet under another key": (draft, random) => {
    const { currency } = draft;
    draft.key = random.pick([
      `${currency} `,
      ` ${currency}`,
      currency.toUpperCase(),
      "credits",
      ...uncannyNames,
    ]);
  },
  "wallet in __proto__": (draft) => {
    draft.instead.balances = `{"__proto__":{${JSON.stringify(draft.currency)}:${richWallet(draft.kind)}}}`;
  },
  "balances another type": (draft, random) => {
    draft.instead.balances = random.pick([...notObjects, `[${richWallet(draft.kind)}]`]);
  },
  "balances in __proto__": (draft) => {
    const { kind, currency } = draft;
    draft.instead.body = `{"__proto__":{"balances":{${JSON.stringify(currency)}:${richWallet(kind)}}}}`;
  },
  "prototypes attacked": ({ kind, balances, body }, random) => {
    const attack = `{"prototype":${richWallet(kind)},"available":1e9,"postpaid_limit":0}`;
    random.pick([balances, body]).set(random.pick(uncannyNames), attack);
  },
  "body another type": (draft, random) => {
    draft.instead.body = random.pick([...notObjects, "{}", "", "NaN", "<html></html>", '{"balances":{}']);
  },
};

const limitOf = { prepaid: "overage_limit", postpaid: "postpaid_limit" } as const;
const otherOf = { prepaid: "postpaid", postpaid: "prepaid" } as const;
const counterparts: readonly (readonly [Field, Field])[] = [
  ["available", "postpaid_limit"],
  ["overage_limit", "postpaid_limit"],
  ["overage_used", "postpaid_used"],
];
const notObjects = ["null", "true", "0", "1e6", '""', '"unlimited"', "[]", "[1,2]"];
const extras = ["1", "null", "true", '"unlimited"', '{"available":1e9}', "[]"];
/** Around the edges of doubles, of whole doubles, and of whole doubles of micro-credits. */
const hugeAmounts = [
  "1e308",
  "1.7976931348623157e308",
  "-1e308",
  "1e21",
  "123456789012345680000",
  "9007199254740991",
  "9007199254740992",
  "9007199254740993",
  "9007199254.740990",
  "9007199254.740991",
  "9007199254.740993",
  "-9007199254.740993",
  "1000000000.0000001",
  "999999999.999999",
];
/** Around a micro-credit. */
const tinyAmounts = [
  "1e-7",
  "-1e-7",
  "5e-324",
  "9.999999e-7",
  "0.000001",
  "0.0000010001",
  "0.1e-5",
  "2.0099995",
  "-0",
];
