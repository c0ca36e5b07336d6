import type { Migration } from "../migration.ts";

export const usageBeforeChecked: Migration = {
  version: 37,
  name: "usage-before-checked",
  online: ["alter table usage_events validate constraint usage_events_before"],
};
