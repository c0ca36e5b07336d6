export interface PollingOptions {
  readonly pollMs: number;
  /** Called once per row of failures. */
  readonly onError: ((error: unknown) => void) | undefined;
}

export interface Polling {
  /** Ends the rest; during a pass, the one after it. */
  wake(): void;
  /** Resolves when the pass under way is done. */
  stop(): Promise<void>;
}

/** Does something again and again, with a rest in between, whether it fails or not. */
export function startPolling(pass: () => Promise<void>, { pollMs, onError }: PollingOptions): Polling {
  let stopping = false;
  let failing = false;
  let woken = false;
  let awake = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    while (!stopping) {
      woken = false;
      try {
        await pass();
        failing = false;
      } catch (error) {
        if (!failing) onError?.(error);
        failing = true;
      }
      // What fails rests in any case.
      if (stopping || (woken && !failing)) continue;
      await new Promise<void>((resolve) => {
        awake = resolve;
        timer = setTimeout(resolve, pollMs);
      });
    }
  };
  const running = run();

  const wake = (): void => {
    woken = true;
    clearTimeout(timer);
    awake();
  };
  return {
    wake,
    async stop() {
      stopping = true;
      wake();
      await running;
    },
  };
}
