import type { MemberRole } from "@creditgate/admin";
import type { ColumnType, Generated } from "kysely";

/** People, and what they sign in by, as Kysely sees them. */
export interface PeopleTables {
  users: {
    user_id: string;
    email: string;
    name: string;
    password_hash: string | null;
    is_operator: boolean;
    created_at: Date;
    disabled_at: Date | null;
  };
  members: {
    org_id: bigint;
    user_id: string;
    roles: MemberRole[];
    created_at: Date;
  };
  user_sessions: {
    session_hash: string;
    user_id: string;
    created_at: Date;
    used_at: Date;
    expires_at: Date;
  };
  user_tokens: {
    token_hash: string;
    token_id: string;
    user_id: string;
    name: string;
    created_at: Date;
    expires_at: Date;
    revoked_at: Date | null;
    used_at: Date | null;
  };
  user_identities: {
    issuer: string;
    subject: string;
    user_id: string;
    created_at: Date;
  };
  user_links: {
    link_hash: string;
    link_id: string;
    kind: ColumnType<LinkKind, LinkKind, never>;
    email: string | null;
    org_id: bigint | null;
    roles: Generated<MemberRole[]>;
    is_operator: Generated<boolean>;
    created_by: string;
    maker_id: string | null;
    created_at: Date;
    expires_at: Date;
    ended_at: Date | null;
  };
  oidc_flows: {
    flow_hash: string;
    state: string;
    nonce: string;
    code_verifier: string;
    expires_at: Date;
  };
}

export type LinkKind = "first_owner" | "invitation" | "password";
