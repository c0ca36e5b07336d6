/** Next would exit before the gate has delivered. This waits for gated work and its usage; other responses are cut. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { gate, onClosed } = await import("./gate.ts"); //? stores
    const { gate } = await import("./gate.ts"); //? !stores
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.removeAllListeners(signal).on(signal, () => {}); // they often come twice
      process.once(signal, async () => {
        await gate.close();
        await onClosed(); //? stores
        process.exit();
      });
    }
  }
}
