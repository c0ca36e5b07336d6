import type { CsvLimits } from "../src/admin/csv-parts.ts";
import { createStreams } from "../src/admin/streams.ts";
import { createFairShare } from "../src/database/fair-share.ts";

/** Of an organisation that nothing else is asked of. */
export function csvLimits(): CsvLimits {
  return {
    share: createFairShare({ slots: 2, maxWaiting: 2, waitMs: 1_000 }),
    exports: createStreams("exports", { perOrganization: 2, total: 2 }),
  };
}
