import { getHeapSnapshot } from "node:v8";
import { collectGarbage } from "../garbage.ts";

/** The bytes on the heap, by the name of the class. */
export type HeapParts = ReadonlyMap<string, number>;

/** What V8 writes of a heap, as far as it is read here: of each node so many numbers, in the order of `node_fields`. */
interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly unknown[] };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

/** Counts what is alive on the heap. Numbers and strings have a part of their own each. */
export async function heapParts(): Promise<HeapParts> {
  collectGarbage();
  const chunks: Buffer[] = [];
  for await (const chunk of getHeapSnapshot()) chunks.push(Buffer.from(chunk));
  const { snapshot, nodes, strings } = JSON.parse(Buffer.concat(chunks).toString()) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name, size] = ["type", "name", "self_size"].map((field) => fields.indexOf(field));
  if (type === undefined || name === undefined || size === undefined) throw new Error("an unknown snapshot");
  const names = types[type] as readonly string[];
  const parts = new Map<string, number>();
  for (let node = 0; node < nodes.length; node += fields.length) {
    const kind = names[nodes[node + type] ?? 0] ?? "";
    const part = kind === "object" ? (strings[nodes[node + name] ?? 0] ?? "") : kind;
    parts.set(part, (parts.get(part) ?? 0) + (nodes[node + size] ?? 0));
  }
  return parts;
}
