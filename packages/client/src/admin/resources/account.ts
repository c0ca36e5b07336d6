import type { CallOptions } from "../../call.ts";
import { call, checkPath, posting } from "../../checked-call.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminAccount,
  adminAccount,
  type CreatedUserToken,
  createdUserToken,
  done,
  type PasswordChangeRequest,
  passwordChangeRequest,
  type SignInRequest,
  type SignInWays,
  signInRequest,
  signInWays,
  type UserToken,
  type UserTokenCreateRequest,
  userToken,
  userTokenCreateRequest,
  userTokenListAnswer,
} from "../contract/account.ts";
import {
  type LinkReadRequest,
  type LinkUseRequest,
  linkReadRequest,
  linkUseRequest,
  type OneTimeLink,
  oneTimeLink,
} from "../contract/link.ts";
import { partQuery } from "../contract/part.ts";
import { collected, createListing } from "../listing.ts";
import { peopleEndpoints } from "../people-endpoints.ts";

/** Who asks; and for the page of a person who signs in, everything about that. */
export interface Account {
  /** Who asks, and what that one may do where. Retried. */
  read(options?: CallOptions): Promise<AdminAccount>;
  /** How one can sign in. Retried. */
  signInWays(options?: CallOptions): Promise<SignInWays>;
  /** Signs in; the browser gets the cookie. 401 `sign_in_refused`, 429 `too_many_attempts`. Never retried once sent. */
  signIn(who: SignInRequest, options?: CallOptions): Promise<AdminAccount>;
  /** Ends this session. Retried. */
  signOut(options?: CallOptions): Promise<void>;
  /** Ends all sessions of the person. Retried. */
  signOutEverywhere(options?: CallOptions): Promise<void>;
  /** Sets another password; all other sessions end, and all tokens. 403 `password_wrong`. Never retried once sent. */
  changePassword(change: PasswordChangeRequest, options?: CallOptions): Promise<AdminAccount>;
  /** What a one-time link does; 404 `link_unknown` where it has been used, or has ended. Retried. */
  readLink(link: LinkReadRequest, options?: CallOptions): Promise<OneTimeLink>;
  /** Uses a one-time link and signs in. 409 `account_exists` where its e-mail must sign in first. Never retried once sent. */
  useLink(link: LinkUseRequest, options?: CallOptions): Promise<AdminAccount>;
  /** Tokens of the person, for a session only. */
  readonly tokens: {
    /** All of them, ended ones too, the oldest first. Retried. */
    list(options?: CallOptions): Promise<readonly UserToken[]>;
    /** A new token, which is shown this once. Never retried once sent. */
    create(token: UserTokenCreateRequest, options?: CallOptions): Promise<CreatedUserToken>;
    /** Ends a token. Retried. */
    revoke(tokenId: string, options?: CallOptions): Promise<UserToken>;
  };
}

export function createAccount(transport: Transport): Account {
  const post = posting(transport);
  const { accountRead, signIn, signOut, signOutEverywhere, passwordChange, linkRead, linkUse } =
    peopleEndpoints;
  const { userTokenList, userTokenCreate, userTokenRevoke } = peopleEndpoints;
  const tokens = createListing(transport, undefined, {
    endpoint: userTokenList,
    query: partQuery,
    answer: userTokenListAnswer,
    itemsOf: (part) => part.tokens,
  });
  return {
    read: (options) => call(transport, accountRead, adminAccount, {}, options),
    signInWays: (options) => call(transport, peopleEndpoints.signInWays, signInWays, {}, options),
    signIn: post(signIn, signInRequest, adminAccount),
    async signOut(options) {
      await call(transport, signOut, done, {}, options);
    },
    async signOutEverywhere(options) {
      await call(transport, signOutEverywhere, done, {}, options);
    },
    changePassword: post(passwordChange, passwordChangeRequest, adminAccount),
    readLink: post(linkRead, linkReadRequest, oneTimeLink),
    useLink: post(linkUse, linkUseRequest, adminAccount),
    tokens: {
      list: (options) => collected(tokens.all({ limit: 100 }, options)),
      create: post(userTokenCreate, userTokenCreateRequest, createdUserToken),
      async revoke(tokenId, options) {
        const params = checkPath(userTokenRevoke, { token_id: tokenId });
        return call(transport, userTokenRevoke, userToken, { params }, options);
      },
    },
  };
}
