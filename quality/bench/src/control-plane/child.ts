import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** A process of ours: its first message is its task, and it answers with messages. */
export interface Child<Answer> {
  /** Resolves with the next message. Rejects if the process ends first. */
  answer(): Promise<Answer>;
  /** Says something more than the task. */
  send(message: object): void;
  /** Ends the process, and resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts a module of this folder, so that what is measured does not share an event loop with who measures. */
export function startChild<Task extends object, Answer>(
  module: string,
  task: Task,
  execArgv: readonly string[] = [],
): Child<Answer> {
  const stdio = ["ignore", "inherit", "inherit", "ipc"] as const;
  const child = fork(new URL(module, import.meta.url), { stdio: [...stdio], execArgv: [...execArgv] });
  child.send(task);
  return {
    answer: () => nextMessage<Answer>(child, module),
    send: (message) => void child.send(message),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The task of this process. */
export async function task<Task>(): Promise<Task> {
  const [message] = await once(process, "message");
  return message as Task;
}

/** Answers the process that has started this one. */
export function tell(answer: object): void {
  process.send?.(answer);
}

async function nextMessage<Answer>(child: ChildProcess, module: string): Promise<Answer> {
  const ended = new AbortController();
  const exit = once(child, "exit", { signal: ended.signal }).then(([code, signal]): never => {
    throw new Error(`${module} ended with ${code ?? signal} before it answered`);
  });
  // What loses the race is not looked at again.
  exit.catch(() => undefined);
  try {
    const [message] = await Promise.race([once(child, "message"), exit]);
    return message as Answer;
  } finally {
    ended.abort();
  }
}
