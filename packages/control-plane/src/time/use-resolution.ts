/** How exactly the last use of a credential is known, in milliseconds; each request would cost a write otherwise. */
export const useResolutionMs = 60_000;
