import { config, z } from "zod/v4";

// In place of `zod` for all that is bundled (vite.config.ts), so that no schema is made before it: Zod would try whether it
// may compile schemas, which our policy refuses and reports.
config({ jitless: true });

export { z };
