import { task, tell } from "../control-plane/child.ts";
import { createMember, type Order } from "./member.ts";
import type { MemberTask } from "./member-task.ts";

/** A member that is a process: it carries out one order after another, until an order ends it. */
const member = createMember(await task<MemberTask>());
process.on("message", async (order: Order) => tell(await member.order(order)));
tell({ ready: true });
