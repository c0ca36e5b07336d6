import type { IssuerSetRequest } from "@creditgate/admin";
import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import { Problem } from "../http/problem.ts";
import {
  type Issuer,
  type IssuerTerms,
  issuerAt,
  issuerOf,
  newestIssuer,
  setIssuer,
} from "../issuers/issuer.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import type { PeriodSettings } from "../periods/settings.ts";
import { auditEdit, type TaggedRecord, tagged } from "./edits.ts";
import type { AdminHandlers } from "./table.ts";

const lastToHold = createKeyset("desc", [
  ["valid_from", "timestamptz"],
  ["version", "bigint"],
]);

/** Who issues invoices and credit notes: each version holds from some instant on, and none is ever changed. */
export function issuerHandlers(database: Database, defaults: PeriodSettings) {
  return {
    async issuerList({ orgId, at, query }) {
      const inForce = await issuerAt(database, orgId, at);
      const issuers = database.selectFrom("issuers").selectAll().where("org_id", "=", orgId);
      const { rows, next } = await readPart(issuers, lastToHold, listPart(query));
      return answer(200, { issuers: rows.map((row) => described(issuerOf(row), inForce)), next });
    },

    async issuerSet(call) {
      const { orgId, actor, at, body } = call;
      const validFrom = body.validFrom === undefined ? at : new Date(body.validFrom);
      if (validFrom < at) {
        const detail = `validFrom: expected ${at.toISOString()}, which is now, or later, received ${JSON.stringify(body.validFrom)}`;
        throw new Problem(422, "valid_from_past", detail);
      }
      return database.transaction().execute(async (transaction) => {
        // Versions are counted: one after the other.
        const { time_zone } = await transaction
          .selectFrom("organizations")
          .select("time_zone")
          .where("org_id", "=", orgId)
          .forNoKeyUpdate()
          .executeTakeFirstOrThrow();
        const before = await issuerAt(transaction, orgId, at);
        const terms = termsOf(body, time_zone ?? defaults.timeZone);
        const newest = await newestIssuer(transaction, orgId);
        const { changed, issuer } = await setIssuer(transaction, orgId, terms, { validFrom, setBy: actor });
        const inForce = await issuerAt(transaction, orgId, at);
        const after = record(issuer, inForce);
        if (!changed) return answer(200, described(issuer, inForce));
        const what = {
          orgId,
          subject: { version: issuer.version },
          ...(before === undefined ? {} : { before: record(before, before) }),
          after,
          current: newest && described(newest, before),
        };
        await auditEdit(transaction, call, { action: "issuer.set", ...what });
        return answer(201, described(issuer, inForce));
      });
    },
  } satisfies Partial<AdminHandlers>;
}

function termsOf(body: IssuerSetRequest, timeZone: string): IssuerTerms {
  return {
    legalName: body.legalName,
    addressLines: body.addressLines,
    taxId: body.taxId ?? null,
    taxes: body.taxes ?? [],
    footer: body.footer ?? null,
    paymentTerms: body.paymentTerms ?? null,
    timeZone: body.timeZone ?? timeZone,
  };
}

function described(issuer: Issuer, inForce: Issuer | undefined): TaggedRecord {
  return tagged("issuer.set", record(issuer, inForce));
}

function record(
  { validFrom, addressLines, taxes, ...issuer }: Issuer,
  inForce: Issuer | undefined,
): JsonObject {
  return {
    ...issuer,
    validFrom: validFrom.toISOString(),
    inForce: issuer.version === inForce?.version,
    addressLines,
    taxes: taxes.map(({ name, basisPoints }) => ({ name, basisPoints })),
  };
}
