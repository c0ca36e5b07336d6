import { type Child, startChild } from "../control-plane/child.ts";
import type { Done, Member, MemberTask } from "./member.ts";

/** A fleet of so many processes, for as long as it is measured. */
export async function withMembers<T>(
  count: number,
  task: MemberTask,
  measure: (members: readonly Member[]) => Promise<T>,
): Promise<T> {
  const children = Array.from({ length: count }, () =>
    startChild<MemberTask, Done>("../fleet/member-process.js", task),
  );
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
