import { email as emailSchema } from "@creditgate/admin";
import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { databaseTime } from "../database/database-clock.ts";
import { attachEmbeddedPostgres } from "../database/embedded/embedded-postgres.ts";
import { openExisting } from "../database/open.ts";
import { createLink, linkPath } from "../people/links.ts";
import { parsePublicUrl } from "../people/site.ts";
import { findUser } from "../people/users.ts";
import { createProgram, readProgram } from "./program.ts";
import { invalid, nonEmpty, readDatabaseUrl } from "./values.ts";

const dataOption = {
  "--data <DIR>": "where the embedded PostgreSQL keeps its data (.creditgate); or DATABASE_URL",
};
const linkOptions = {
  "--operator": "where EMAIL has no account, make one that may do everything",
  "--public-url <URL>": "where browsers find the control plane (http://127.0.0.1:4000)",
};

const note = `
For one who has lost the password, or all who have: anyone who can run this on the machine may do everything there anyway.
It works while servers run.`;

interface Values {
  readonly operator?: boolean;
  readonly data?: string;
  readonly publicUrl?: string;
}

/** Runs `creditgate users …`. */
export async function runUsers(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  report: (error: unknown) => void,
): Promise<void> {
  const program = createProgram("creditgate users").addHelpText("after", note);
  const list = createProgram("list", dataOption).description("who has an account");
  const link = createProgram("link", { ...dataOption, ...linkOptions })
    .description("a link with which EMAIL sets a new password: it works once, for a day")
    .argument("<EMAIL>");
  program.addCommand(list).addCommand(link);
  if (!readProgram(program, args.length === 0 ? ["--help"] : args)) return;
  const [address] = link.args;
  const values = { ...list.opts<Values>(), ...link.opts<Values>() };
  const email = address === undefined ? undefined : emailSchema.safeParse(address).data;
  if (address !== undefined && email === undefined) throw invalid("users link", "an e-mail address", address);
  const base = parsePublicUrl(values.publicUrl ?? "http://127.0.0.1:4000", "--public-url");
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
