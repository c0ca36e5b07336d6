import { resourceNames } from "./admin/resource-names.ts";

const names = resourceNames.join(", ");

/** What `creditgate --help` prints. */
export const usage: string = `creditgate serve [options]     run the control plane
creditgate worker [options]    settle what servers without settlement accept; needs DATABASE_URL
creditgate close-period [options]  invoice the use of postpaid wallets up to the last period's end
creditgate verify [options]    compute all balances again from the ledger; ends with 1 on a difference
creditgate RESOURCE ACTION     administer a running control plane: ${names}
creditgate migrate [options]   bring the schema of DATABASE_URL up to date, as its owner

  --port PORT             port to listen on, 0 takes a free one       (4000)
  --host HOST             address to listen on                        (127.0.0.1)
  --data DIR              where the embedded PostgreSQL keeps its data (.creditgate)
  --fixture FILE          JSON: an organisation, its agents, customers and wallets
  --settlement-delay MS   from accepting usage to settling it         (1000)
  --no-settlement         leave settling to creditgate worker
  --metrics-port PORT     port for /metrics, /health, /ready; also of the worker (none)
  --rate-limit N          requests per second for each API key; 0 is no limit (1000)
  --organization-rate-limit N   requests per second of each organisation; 0 is no limit (2000)
  --organization-report-limit N reports of usage per second of each organisation; 0 is no limit (5000)
  --max-clients N         connections of clients at once              (2000)
  --trusted-proxies N     proxies in front that add to X-Forwarded-For (0)
  --drain-delay MS        from SIGTERM, and /ready saying no, to refusing connections (3000; 100 on 127.0.0.1)
  --stop-timeout MS       from SIGTERM to the end, whatever the database does; also of the worker (10000)
  --billing-period P      daily, weekly or monthly, where an organisation has no setting (monthly)
  --billing-anchor DAY    first day of a period: of the month, 1 to 28, or the week, 1 to 7 (1)
  --time-zone ZONE        in which the days of periods are                (UTC)
  --webhook-networks LIST networks that are not public to which webhooks may go, as 10.0.0.0/8,fd00::/8; also of the worker (none)
  --webhook-http          webhooks may go by http; also of the worker
  --webhook-timeout MS    how long an endpoint has for its answer; also of the worker (15000)
  --public-url URL        where browsers find the control plane: https, or http on this machine (as listened on)
  --no-sign-in            only admin tokens open /admin/api
  --oidc-issuer URL       an identity provider (OpenID Connect) beside passwords, with
  --oidc-client ID          its client id, and the secret in CREDITGATE_OIDC_CLIENT_SECRET
  --oidc-name NAME          what it is called on the page            (its host)
  --oidc-join RULES         who joins uninvited, by verified e-mail, as example.com=Acme:read+money,... (no one)
  --organization NAME     of close-period: only this one
  --early                 of close-period: end the running period now
  --app-role NAME         of migrate: the role of servers and workers, which gets the rights that they need

creditgate users --help         who has an account; a link for one who has lost the password
creditgate RESOURCE --help      what there is to do with it, as creditgate wallets --help
creditgate doctor --help        try a service as a gate would use it, and say what to mend
creditgate leak --help          find work that your application does and nobody pays
creditgate outbox --help        look after what a gate could not deliver (@creditgate/sqlite)
creditgate postgres --help      look after the store and the outboxes of a fleet (@creditgate/postgres)
creditgate redis --help         the same (@creditgate/redis)
creditgate --help
creditgate --version

CREDITGATE_ADMIN_TOKEN=NAME:TOKEN[,...] opens /admin/api to those who have a token. Without it, and with the embedded
PostgreSQL, there is one in DIR/admin-token; without it, and with DATABASE_URL, there is no /admin/api.
With DATABASE_URL=postgres://... it uses that PostgreSQL instead of the embedded one, and with DATABASE_REPLICA_URL
serve reads lists and sums from a streaming replica of it.
`;
