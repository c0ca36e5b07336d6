import { z } from "zod";

function isDictionary(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A map whose keys belong to the users. `z.record` drops the key `__proto__`, and its plain object inherits
 * `constructor`; here every key is an ordinary one, and the map inherits nothing.
 */
export function dictionary<Value>(entry: z.ZodType<Value>): z.ZodType<Readonly<Record<string, Value>>> {
  return z.unknown().transform((input, context) => {
    const output: Record<string, Value> = Object.create(null);
    if (!isDictionary(input)) {
      context.addIssue({ code: "invalid_type", expected: "record", input });
      return output;
    }
    for (const [key, value] of Object.entries(input)) {
      const parsed = entry.safeParse(value);
      if (parsed.success) output[key] = parsed.data;
      else {
        for (const issue of parsed.error.issues) {
          context.addIssue({
            code: "custom",
            message: issue.message,
            path: [key, ...issue.path],
            input: value,
          });
        }
      }
    }
    return output;
  });
}
