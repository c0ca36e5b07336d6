/** A field of what was changed. */
export interface Change {
  readonly field: string;
  /** `undefined` where it was not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What a record says was another before, field by field; of what came into being or went, all that it was. */
export function changesOf(before: unknown, after: unknown): readonly Change[] {
  return differences(fieldsOf(before), fieldsOf(after));
}

/** Which texts are others, by their names. */
export function differences(was: Texts, is: Texts): readonly Change[] {
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((field) => ({ field, before: was[field], after: is[field] }))
    .filter((change) => change.before !== change.after);
}

type Texts = Readonly<Record<string, string | undefined>>;

/** Changes, in a line. */
export function subjectWords(subject: unknown): string {
  if (typeof subject !== "object" || subject === null) return textOf(subject) ?? "";
  return Object.entries(subject)
    .toSorted(([one], [other]) => Number(last.has(one)) - Number(last.has(other)))
    .map(([, value]) => textOf(value))
    .filter((text) => text !== undefined)
    .join(", ");
}

/** What qualifies comes after what it is of: the log has its fields in an order of its own. */
const last: ReadonlySet<string> = new Set(["currency", "indicator", "reason"]);

/** What is no object has one field, without a name. */
function fieldsOf(value: unknown): Texts {
  if (value === undefined || value === null) return {};
  const fields = typeof value === "object" && !Array.isArray(value) ? value : { "": value };
  return Object.fromEntries(Object.entries(fields).map(([name, of]) => [name, textOf(of)]));
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((one) => typeof one === "string")
    ? value.join(", ")
    : JSON.stringify(value);
}

/** Who made a change, as people say it. The audit log has it as `user:<e-mail>`, `admin:<name>`, `key:<id>` or a part of the service. */
export function actorName(actor: string | null): string {
  if (actor === null) return "";
  const [kind = "", ...rest] = actor.split(":");
  const name = rest.join(":");
  if (name === "") return actor;
  if (kind === "admin") return `admin token ${name}`;
  if (kind === "key") return `API key ${name}`;
  const [email = name, token] = name.split("/");
  return token === undefined ? email : `${email}, by token ${token}`;
}
