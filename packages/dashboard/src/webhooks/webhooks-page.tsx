import { type AdminOrganization, type AdminWebhook, adminOrganization } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { admin } from "../api/client.ts";
import { useEdit } from "../api/edit.ts";
import { organizationsQuery, useAnswer, useMay, useOrganizationId } from "../api/query.ts";
import { formatCredits, parseOptionalCredits } from "../parts/amounts.ts";
import { amountFrom0, Field } from "../parts/field.tsx";
import { DialogButton, Effect, FormDialog } from "../parts/form-dialog.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Loaded, Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { EndpointBadge } from "./endpoint-parts.tsx";
import { webhooksQuery } from "./queries.ts";
import { eventsOf } from "./words.ts";

/** The webhook endpoints, and the thresholds of low balances. */
export function WebhooksPage() {
  const webhooks = useAnswer(webhooksQuery);
  const create = useMay("keys") && (
    <DialogButton text="New endpoint" look="primary" icon="plus" data-key="n">
      <EndpointDialog />
    </DialogButton>
  );
  return (
    <Page title="Webhooks" actions={create}>
      <Loaded query={webhooks} failure="The endpoints could not be loaded.">
        {(known) =>
          known.length === 0 ? (
            <Empty title="No endpoints yet" action={create}>
              An endpoint is a URL of yours that receives events, such as a low wallet, an active order or a
              new invoice.
            </Empty>
          ) : (
            <Endpoints endpoints={known} />
          )
        }
      </Loaded>
      {/* Below it: what is there first would be moved. */}
      {!webhooks.isPending && <Thresholds />}
    </Page>
  );
}

function Endpoints({ endpoints }: { readonly endpoints: readonly AdminWebhook[] }) {
  const organizationId = useOrganizationId();
  return (
    <Table
      look="rows"
      caption="Endpoints, the oldest first"
      rows={endpoints}
      idOf={({ endpointId }) => endpointId}
      columns={(column) => [
        column("Endpoint", { isName: true, look: "breaks" }, ({ endpointId, url, description }) => (
          <>
            <Link
              className="cover"
              to="/organizations/$organizationId/webhooks/$endpointId"
              params={{ organizationId, endpointId }}
            >
              {url}
            </Link>
            {description !== null && <span className="sub">{description}</span>}
          </>
        )),
        column("Events", { from: 2 }, eventsOf),
        column("Status", {}, (endpoint) => <EndpointBadge endpoint={endpoint} />),
        column("Created", { from: 1, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
      ]}
    />
  );
}

/** Below how many credits a wallet is low. */
function Thresholds() {
  const organizationId = useOrganizationId();
  const { data: organizations } = useQuery(organizationsQuery);
  const mayChange = useMay("owner");
  const organization = organizations?.find((one) => one.organizationId === organizationId);
  if (organization === undefined) return null;
  const { lowThreshold: threshold } = organization;
  return (
    <Section
      id="thresholds"
      title="Low-balance threshold"
      isRuled
      end={
        <DialogButton text="Edit threshold" look="sm end" isShown={mayChange}>
          <ThresholdDialog organization={organization} />
        </DialogButton>
      }
      lead={
        <>
          <code>wallet.low</code> is sent when the balance of a wallet falls below it. A wallet can override
          it in its limits.
        </>
      }
    >
      <p className="small">
        {threshold === null ? (
          "None. Only wallets with their own threshold send it."
        ) : (
          <>
            <b>{formatCredits(threshold)}</b> credits
          </>
        )}
      </p>
    </Section>
  );
}

function ThresholdDialog({ organization }: { organization: AdminOrganization }) {
  const edit = useEdit({
    record: organization,
    schema: adminOrganization,
    valuesOf: ({ lowThreshold: low }) => ({ text: low === null ? "" : formatCredits(low) }),
    labels: { lowThreshold: "Low-balance threshold" },
    send: (_, seen, values) =>
      admin
        .organization(organization.organizationId)
        .configure({ ...seen, lowThreshold: parseOptionalCredits(values.text) }),
    untrue: ["organizations"],
    onDone: () => notify("Threshold saved"),
  });
  const { text } = edit.values;
  const after = parseOptionalCredits(text);
  return (
    <FormDialog
      title="Low-balance threshold"
      action="Save threshold"
      isReady={after !== undefined && edit.isChanged}
      form={edit}
      failure="The threshold was not saved."
    >
      <Field
        {...edit.bind("text")}
        label="Low-balance threshold"
        unit="credits"
        isNumber
        autoFocus
        error={after === undefined ? amountFrom0 : undefined}
        hint="Leave empty for none."
      />
      <Effect>
        <p>
          {after === null
            ? "Wallets without their own threshold send no low-balance event."
            : "Wallets that are already below it send no event until they cross it again."}
        </p>
      </Effect>
    </FormDialog>
  );
}
