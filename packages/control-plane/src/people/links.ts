import { randomUUID } from "node:crypto";
import type { MemberRole } from "@creditgate/admin";
import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { LinkKind } from "../database/people-tables.ts";
import type { Tables } from "../database/tables.ts";
import type { Site } from "./site.ts";
import { generateSecret, hashSecret, isSecret } from "./user-tokens.ts";

const hour = 60 * 60 * 1_000;

/** How long a link waits for its use. */
const lifeMs: Readonly<Record<LinkKind, number>> = {
  first_owner: 24 * hour,
  invitation: 7 * 24 * hour,
  password: 24 * hour,
};

export type Link = Omit<Selectable<Tables["user_links"]>, "link_hash">;

/** What a new link is for. */
export interface NewLink {
  readonly kind: LinkKind;
  /** `null` of that of the first owner. */
  readonly email: string | null;
  readonly orgId?: bigint;
  readonly roles?: readonly MemberRole[];
  readonly isOperator?: boolean;
  /** Who makes it, as the audit log has it. */
  readonly createdBy: string;
  /** The person who makes it; `undefined` for an admin token, or a command on the machine. */
  readonly makerId: string | undefined;
}

/** A link works for as long as its maker may make it. */
export interface LinkTerms {
  readonly at: Date;
  /** The names of the admin tokens that are valid. */
  readonly tokenNames: readonly string[];
}

/** Who may run these may do everything on the machine. */
const commands = ["creditgate serve", "creditgate users"] as const;

/** Makes a link that works once, and returns its secret, which is stored nowhere. */
export async function createLink(
  database: Pick<Database, "insertInto">,
  { kind, email, orgId, roles = [], isOperator = false, createdBy, makerId }: NewLink,
  at: Date,
): Promise<{ readonly secret: string; readonly link: Link }> {
  const secret = generateSecret("cgl_");
  const link = {
    link_id: randomUUID(),
    kind,
    email,
    org_id: orgId ?? null,
    roles: [...roles],
    is_operator: isOperator,
    created_by: createdBy,
    maker_id: makerId ?? null,
    created_at: at,
    expires_at: new Date(at.getTime() + lifeMs[kind]),
    ended_at: null,
  };
  await database
    .insertInto("user_links")
    .values({ ...link, link_hash: hashSecret(secret) })
    .execute();
  return { secret, link };
}

/** A link that still works. */
export async function findLink(
  database: Pick<Database, "selectFrom">,
  secret: string,
  terms: LinkTerms,
): Promise<Link | undefined> {
  if (!isSecret(secret, "cgl_")) return undefined;
  return working(database, terms).where("link_hash", "=", hashSecret(secret)).executeTakeFirst();
}

/** A link that still works, which works for no one else from now on. */
export async function takeLink(
  transaction: DatabaseTransaction,
  secret: string,
  terms: LinkTerms,
): Promise<Link | undefined> {
  const found = await findLink(transaction, secret, terms);
  if (found === undefined) return undefined;
  // Of two at once the second one waits here, and finds it ended.
  const { numUpdatedRows } = await transaction
    .updateTable("user_links")
    .set({ ended_at: terms.at })
    .where("link_id", "=", found.link_id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? found : undefined;
}

/** The invitations of an e-mail that still work, which are used up. */
export async function takeInvitations(
  transaction: DatabaseTransaction,
  email: string,
  terms: LinkTerms,
): Promise<readonly Link[]> {
  const invitations = working(transaction, terms)
    .clearSelect()
    .select("link_id")
    .where("kind", "=", "invitation")
    .where("email", "=", email);
  return transaction
    .updateTable("user_links")
    .set({ ended_at: terms.at })
    .where("link_id", "in", invitations)
    .where("ended_at", "is", null)
    .returning(columns)
    .execute();
}

/** Ends for good the links that a person has made. */
export async function endLinksBy(transaction: DatabaseTransaction, makerId: string, at: Date): Promise<void> {
  await transaction
    .updateTable("user_links")
    .set({ ended_at: at })
    .where("maker_id", "=", makerId)
    .where("ended_at", "is", null)
    .execute();
}

const columns = [
  "link_id",
  "kind",
  "email",
  "org_id",
  "roles",
  "is_operator",
  "created_by",
  "maker_id",
  "created_at",
  "expires_at",
  "ended_at",
] as const;

/** Links that still work: not used, revoked or expired, and made by one who may make them now, an operator or an owner. */
export function working(
  database: Pick<Database, "selectFrom">,
  { at, tokenNames }: LinkTerms,
): SelectQueryBuilder<Tables, "user_links", Link> {
  return database
    .selectFrom("user_links")
    .select(columns)
    .where("ended_at", "is", null)
    .where("expires_at", ">", at)
    .where(
      sql<boolean>`case when maker_id is null then created_by = any(${[...commands, ...tokenNames.map((name) => `admin:${name}`)]}) else exists (
        select from users as maker
         where maker.user_id = maker_id and disabled_at is null
           and (maker.is_operator or exists (
                 select from members
                  where members.org_id = user_links.org_id and members.user_id = maker_id and 'owner' = any(members.roles)))) end`,
    );
}

/** The path of the page that uses a link. What is behind the # reaches no server, no log and no other site. */
export function linkPath(secret: string): string {
  return `/dashboard/welcome#token=${secret}`;
}

/** Any number, as long as every replica uses the same. */
const firstOwnerLock = 7_236_401_976n;

/** Whether there is no account yet; until the transaction ends no one else makes a first owner. */
export async function isFirst(transaction: DatabaseTransaction): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${firstOwnerLock})`.execute(transaction);
  return !(await hasUsers(transaction));
}

export async function hasUsers(database: Pick<Database, "selectFrom">): Promise<boolean> {
  return (await database.selectFrom("users").select("user_id").limit(1).executeTakeFirst()) !== undefined;
}

/** The address that makes the first account, an operator's; `undefined` where there is one. It works once, for a day. */
export async function firstOwnerLink(
  database: Database,
  site: Pick<Site, "address">,
  at: Date,
): Promise<string | undefined> {
  if (await hasUsers(database)) return undefined;
  const { secret } = await createLink(
    database,
    { kind: "first_owner", email: null, createdBy: "creditgate serve", makerId: undefined },
    at,
  );
  return site.address(linkPath(secret));
}
