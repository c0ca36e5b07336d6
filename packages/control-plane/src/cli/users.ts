import { parseArgs } from "node:util";
import { email as emailSchema } from "@creditgate/admin";
import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { databaseTime } from "../database/database-clock.ts";
import { attachEmbeddedPostgres } from "../database/embedded/embedded-postgres.ts";
import { openExisting } from "../database/open.ts";
import { createLink, linkPath } from "../people/links.ts";
import { parsePublicUrl } from "../people/site.ts";
import { findUser } from "../people/users.ts";
import { invalid, nonEmpty, readDatabaseUrl } from "./values.ts";

const help = `creditgate users list              who has an account
creditgate users link EMAIL        a link with which EMAIL sets a new password: it works once, for a day

  --operator       of link: where EMAIL has no account, make one that may do everything
  --data DIR       where the embedded PostgreSQL keeps its data (.creditgate); or DATABASE_URL
  --public-url URL where browsers find the control plane        (http://127.0.0.1:4000)

For one who has lost the password, or all who have: anyone who can run this on the machine may do everything there anyway.
It works while servers run.
`;

const flags = {
  operator: { type: "boolean" },
  data: { type: "string" },
  "public-url": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** Runs `creditgate users …`. */
export async function runUsers(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  report: (error: unknown) => void,
): Promise<void> {
  const { values, positionals } = readArgs(args);
  const [action, address, ...surplus] = positionals;
  if (values.help === true) {
    process.stdout.write(help);
    return;
  }
  const isLink = action === "link";
  if (!isLink && action !== "list") throw invalid("users", "list or link EMAIL", action ?? "nothing");
  const [extra] = isLink ? surplus : [address, ...surplus].filter((word) => word !== undefined);
  if (extra !== undefined) throw invalid("users", `nothing more after ${action}`, extra);
  const email = isLink ? emailSchema.safeParse(address).data : undefined;
  if (isLink && email === undefined) throw invalid("users link", "an e-mail address", address ?? "none");
  const base = parsePublicUrl(values["public-url"] ?? "http://127.0.0.1:4000", "--public-url");
  const databaseUrl = readDatabaseUrl(environment.DATABASE_URL);
  const data = nonEmpty("--data", values.data ?? ".creditgate");
  const embedded = databaseUrl === undefined ? await attachEmbeddedPostgres(data, report) : undefined;
  try {
    const connection = await openExisting(databaseUrl ?? embedded?.databaseUrl ?? "", 1);
    try {
      if (email === undefined) await printUsers(connection.database);
      else await printLink(connection.database, { email, base, isOperator: values.operator === true });
    } finally {
      await connection.close();
    }
  } finally {
    await embedded?.stop();
  }
}

function readArgs(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true });
  } catch (error) {
    throw invalid(
      "users",
      "options as creditgate users --help shows them",
      error instanceof Error ? error.message : "others",
    );
  }
}

async function printUsers(database: Database): Promise<void> {
  const users = await database.selectFrom("users").selectAll().orderBy("email").execute();
  for (const { email, is_operator, disabled_at, password_hash } of users) {
    const words = [
      ...(is_operator ? ["operator"] : []),
      ...(disabled_at === null ? [] : ["disabled"]),
      ...(password_hash === null ? ["no password"] : []),
    ];
    process.stdout.write(`${email}${words.length === 0 ? "" : ` (${words.join(", ")})`}\n`);
  }
  if (users.length === 0) process.stdout.write("no one has an account\n");
}

interface LinkTerms {
  readonly email: string;
  readonly base: URL;
  readonly isOperator: boolean;
}

async function printLink(database: Database, { email, base, isOperator }: LinkTerms): Promise<void> {
  const user = await findUser(database, email);
  if (user === undefined && !isOperator) {
    throw invalid("users link", "the e-mail of an account, or --operator to make one", email);
  }
  if (user !== undefined && user.disabled_at !== null) {
    throw invalid("users link", "an account that is not disabled", email);
  }
  const at = new Date(await databaseTime(database));
  const by = { createdBy: "creditgate users", makerId: undefined };
  const { secret, link } = await database.transaction().execute(async (transaction) => {
    const record = { orgId: undefined, actor: by.createdBy, action: "user.link" } as const;
    await audit(transaction, { ...record, subject: email }, at);
    return user === undefined
      ? createLink(transaction, { kind: "invitation", email, isOperator, ...by }, at)
      : createLink(transaction, { kind: "password", email, ...by }, at);
  });
  process.stdout.write(`${new URL(linkPath(secret), base).href}\n`);
  process.stderr.write(`creditgate: works once, until ${link.expires_at.toISOString()}\n`);
}
