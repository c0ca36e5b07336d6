import {
  type AdminEndpoint,
  type AdminEndpoints,
  type AdminScope,
  adminEndpoints,
  allowanceCreateRequest,
  budgetSetRequest,
  currencySetRequest,
  issuerSetRequest,
  type MemberRole,
  memberRoles,
  organizationSettingsRequest,
} from "@creditgate/admin";
import { z } from "zod";
import type { CsvHandler, Handler, PageHandler, StreamHandler } from "../endpoint/call.ts";
import type { Served } from "../endpoint/endpoint-routes.ts";
import type { Visitor } from "../people/person.ts";
import { isTimeZone } from "../periods/settings.ts";
import { isUnitAmount, maxUnitAmount } from "../pricing/unit-price.ts";

/** An entry of the table of the admin API. */
export interface AdminServed extends Served {
  readonly scope: AdminScope;
  /** Whether it is sent while it is read, for as long as its reader takes. @default false */
  readonly isFile?: boolean;
  /** Whether its handler bounds what strangers ask of all addresses together. @default false */
  readonly countsAttempts?: boolean;
}

/** Who may do what takes a role. */
export const allowedRoles: Readonly<Record<MemberRole, readonly MemberRole[]>> = {
  read: ["read", "money", "keys", "owner"],
  money: ["money", "owner"],
  keys: ["keys", "owner"],
  owner: ["owner"],
};

/** Whether a scope is a role, and so takes an organisation. */
export function isRole(scope: AdminScope): scope is MemberRole {
  return memberRoles.some((role) => role === scope);
}

/** Whether one may do what takes a role, in the organisation that the request names. */
export function may({ isOperator, roles }: Pick<Visitor, "isOperator" | "roles">, role: MemberRole): boolean {
  return isOperator || roles.some((own) => allowedRoles[role].includes(own));
}

type HandlerOf<Of extends AdminEndpoint> = Of["kind"] extends "csv"
  ? CsvHandler<Of>
  : Of["kind"] extends "page"
    ? PageHandler<Of>
    : Of["kind"] extends "events"
      ? StreamHandler<Of>
      : Handler<Of>;

export type AdminHandlers = {
  readonly [Name in keyof AdminEndpoints]: HandlerOf<AdminEndpoints[Name]>;
};

const timeZone = { path: ["timeZone"], message: "expected a time zone such as Europe/Amsterdam" };

function hasTimeZone({ timeZone }: { readonly timeZone?: string | null | undefined }): boolean {
  return timeZone == null || isTimeZone(timeZone);
}

/** Bodies of which the contract leaves a check to the service. */
const bodies: Readonly<Record<string, z.ZodType>> = {
  budgetSet: budgetSetRequest.refine(hasTimeZone, timeZone),
  budgetDefaultSet: budgetSetRequest.refine(hasTimeZone, timeZone),
  allowanceCreate: allowanceCreateRequest
    .refine(hasTimeZone, timeZone)
    .refine(
      ({ every, anchor = 1 }) => every === "month" || (every === "week" && anchor <= 7) || anchor === 1,
      {
        path: ["anchor"],
        message: "expected 1 to 7 for every week, 1 for every day",
      },
    ),
  organizationSettings: organizationSettingsRequest.refine(hasTimeZone, timeZone),
  issuerSet: issuerSetRequest.refine(hasTimeZone, timeZone),
  // The price is in minor units of money, in decimal: a credit may cost less than a cent.
  currencySet: currencySetRequest.refine(
    ({ unitPrice }) => unitPrice === null || unitPrice === undefined || isUnitAmount(unitPrice.amount),
    {
      path: ["unitPrice", "amount"],
      message: `expected a decimal from 0 to ${maxUnitAmount}, with at most 15 decimals`,
    },
  ),
};

/** What carries none refuses one: it would do what was not asked for. */
const nothing = z.strictObject({});

function served(endpoint: AdminEndpoint): AdminServed {
  const { name, kind, query = nothing, body = nothing.optional(), ...rest } = endpoint;
  return {
    ...rest,
    isFile: kind === "csv" || kind === "events",
    query: { schema: query },
    body: { schema: bodies[name] ?? body },
  };
}

/** What may be done, and what it takes. */
export const adminTable = Object.fromEntries(
  Object.values<AdminEndpoint>(adminEndpoints).map((endpoint) => [endpoint.name, served(endpoint)]),
) as Readonly<Record<keyof AdminEndpoints, AdminServed>>;
