import { z } from "zod";
import { isCreditgateError } from "../../creditgate-error.ts";

/** A record that people edit. */
export interface Tagged {
  /** Opaque: another one whenever a field that can be edited is another. A service of the version before has none. */
  readonly etag?: string | undefined;
}

/** An edit of a record: fields that are left out stay. */
export interface Edit {
  /**
   * The `etag` of the record that the edit was made from. If the record has changed since, the edit is refused: a 409
   * with the code `edit_conflict`, which {@link editConflictOf} reads.
   * @default none: the fields that are given replace whatever is there
   */
  readonly etag?: string | undefined;
}

/** Why an edit was refused: what others have edited meanwhile. */
export interface EditConflict {
  /** Who has changed which fields, the newest first. */
  readonly edits: readonly FieldEdit[];
  /** The record as it is now. */
  readonly current: unknown;
}

/** Fields that one has changed. */
export interface FieldEdit {
  /** As in the audit log; `null` if the log has no record of it. */
  readonly by: string | null;
  readonly at: string | null;
  readonly fields: readonly string[];
}

/** The field of a record that people edit. */
export const taggedFields: { readonly etag: z.ZodType<string | undefined> } = { etag: z.string().optional() };

/** The field of an edit. */
export const editFields: { readonly etag: z.ZodType<string | undefined> } = {
  etag: z.string().max(256).optional(),
};

/** Parses what others have edited meanwhile. */
export const editConflict: z.ZodType<EditConflict> = z.looseObject({
  edits: z.array(
    z.looseObject({ by: z.string().nullable(), at: z.string().nullable(), fields: z.array(z.string()) }),
  ),
  current: z.unknown(),
});

/** What others have edited meanwhile, if that is why an edit was refused. */
export function editConflictOf(error: unknown): EditConflict | undefined {
  if (!isCreditgateError(error) || error.problem?.code !== "edit_conflict") return undefined;
  return editConflict.safeParse(error.problem.conflict).data;
}
