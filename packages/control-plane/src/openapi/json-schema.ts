import { z } from "zod";

/** JSON as it goes out. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The schema of what is parsed, or of what comes of it, in the words of JSON Schema. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: "draft-2020-12",
    // What they are is in their `meta`.
    unrepresentable: "any",
  });
  return rest;
}

/** The parameters of a query, each with its schema. */
export function queryFields(
  schema: z.ZodType,
): readonly { readonly name: string; readonly required: boolean; readonly schema: unknown }[] {
  const { properties, required } = z
    .object({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()).default([]) })
    .parse(jsonSchema(schema, "input"));
  return Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    schema: property,
  }));
}
