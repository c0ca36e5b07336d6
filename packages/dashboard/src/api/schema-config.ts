import { config } from "zod";

// Before any schema is made: Zod would try whether it may compile them, which our policy refuses and reports.
config({ jitless: true });
