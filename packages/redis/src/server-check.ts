import type { ScriptRunner } from "./redis-client.ts";
import { Script } from "./script.ts";

/** What a server reports of itself. */
export interface ServerFacts {
  /** `undefined` if the server does not report it, as Upstash. */
  readonly evictionPolicy: string | undefined;
  readonly appendOnly: boolean | undefined;
  /** The file is being written anew: if it is the first, it has not begun yet, and there is no telling. */
  readonly isRewriting: boolean;
  readonly replicas: number;
  /** Whether a write is refused where too few replicas are there. */
  readonly minReplicas: boolean;
}

/** Reads it where the key lives, so that in a cluster it is of the right node. INFO needs no rights that CONFIG needs. */
const script = new Script(`
local function field(section, name)
  local text = redis.pcall('INFO', section)
  return type(text) == 'string' and string.match(text, '[\\r\\n]' .. name .. ':([^\\r\\n]*)') or nil
end
return cjson.encode({
  policy = field('memory', 'maxmemory_policy'),
  aof = field('persistence', 'aof_enabled'),
  rewriting = field('persistence', 'aof_rewrite_in_progress'),
  scheduled = field('persistence', 'aof_rewrite_scheduled'),
  replicas = field('replication', 'connected_slaves'),
  good = field('replication', 'min_slaves_good_slaves'),
})
`);

export async function readServer(redis: ScriptRunner, key: string): Promise<ServerFacts> {
  const facts = (await script.run(redis, [key], [])) as Readonly<Record<string, string | undefined>>;
  const { policy, aof, rewriting, scheduled, replicas = "0", good } = facts;
  return {
    evictionPolicy: policy,
    appendOnly: aof === undefined ? undefined : aof !== "0",
    isRewriting: rewriting === "1" || scheduled === "1",
    replicas: Number(replicas),
    minReplicas: good !== undefined,
  };
}
