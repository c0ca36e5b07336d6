"use client";

/** Calls the action; the tests do as its button would. */
export function Caller({ act }: { act: (headers: Record<string, string>) => Promise<unknown> }) {
  return (
    <button type="button" onClick={() => act({})}>
      Act
    </button>
  );
}
