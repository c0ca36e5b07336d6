import { ControlPlaneError } from "../errors/control-plane-error.ts";

/** Resolves at the first signal; the second one ends the process where it stands. */
export function firstSignal(onSecond: () => void = () => undefined): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    const onSignal = (signal: NodeJS.Signals): void => {
      signals += 1;
      if (signals === 1) {
        resolve();
        return;
      }
      onSecond();
      process.exit(signal === "SIGINT" ? 130 : 143);
    };
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
  });
}

/** Why a process that is stopped while it starts does not become ready. */
export function stoppedEarly(): ControlPlaneError {
  return new ControlPlaneError(
    "stopped",
    "process: stopped by a signal before it was ready; nothing was changed",
  );
}
