import { type Data, isCreditgateError } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";

/** The field of a record that people edit. */
export const taggedFields = {
  /** Opaque: another one whenever a field that can be edited is another. A service of the version before has none. */
  etag: z.string().optional(),
};

/** A record that people edit. */
export interface Tagged {
  readonly etag?: string | undefined;
}

/** The field of an edit. */
export const editFields = {
  /**
   * The `etag` of the record that the edit was made from. If the record has changed since, the edit is refused: a 409
   * with the code `edit_conflict`, which {@link editConflictOf} reads.
   * @default none: the fields that are given replace whatever is there
   */
  etag: z.string().max(256).optional(),
};

const editConflict = record({
  /** Who has changed which fields, the newest first. */
  edits: z.array(
    record({
      /** As in the audit log; `null` if the log has no record of it. */
      by: z.string().nullable(),
      at: z.string().nullable(),
      fields: z.array(z.string()),
    }),
  ),
  /** The record as it is now. */
  current: z.unknown(),
});

/** Why an edit was refused: what others have edited meanwhile. */
export type EditConflict = Data<typeof editConflict>;

/** Fields that one has changed. */
export type FieldEdit = EditConflict["edits"][number];

/** What others have edited meanwhile, if that is why an edit was refused. */
export function editConflictOf(error: unknown): EditConflict | undefined {
  if (!isCreditgateError(error) || error.problem?.code !== "edit_conflict") return undefined;
  return editConflict.safeParse(error.problem.conflict).data;
}
