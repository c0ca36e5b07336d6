import { type Child, startChild } from "../control-plane/child.ts";
import type { Done, Member } from "./member.ts";
import type { MemberTask } from "./member-task.ts";

/** A process for each of these tasks, for as long as they are measured. */
export async function withMembers<T>(
  tasks: readonly MemberTask[],
  measure: (members: readonly Member[]) => Promise<T>,
): Promise<T> {
  const children = tasks.map((task) => startChild<MemberTask, Done>("../fleet/member-process.js", task));
  try {
    await Promise.all(children.map((child) => child.answer()));
    return await measure(children.map(memberOf));
  } finally {
    for (const child of children) await child.stop();
  }
}

/** It is ended as it is: what it has it does not give back. */
function memberOf(child: Child<Done>): Member {
  return {
    order(order) {
      child.send(order);
      return child.answer();
    },
    stop: () => child.stop(),
  };
}
