import { isCreditgateError } from "@creditgate/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMay, useOrganizationId } from "../api/account.ts";
import { TextButton } from "../parts/button.tsx";
import { DialogButton } from "../parts/dialog-button.tsx";
import { bone, Loaded } from "../parts/listing.tsx";
import { Section } from "../parts/page.tsx";
import { CostBox } from "./cost-box.tsx";
import { PriceDialog } from "./price-dialog.tsx";
import { PriceHistory } from "./price-history.tsx";
import { pricesQuery } from "./queries.ts";

/** What an indicator has cost, costs and will cost, and what a use would. */
export function IndicatorView({ agentId, indicator }: { agentId: string; indicator: string }) {
  const organizationId = useOrganizationId();
  const mayChange = useMay("money");
  const prices = useInfiniteQuery(pricesQuery(organizationId, agentId, indicator));
  const versions = prices.data ?? [];
  const isUnknown = isCreditgateError(prices.error) && prices.error.status === 404;
  return (
    <>
      <Section
        id="history"
        title={
          <>
            History of <code>{indicator}</code>
          </>
        }
        isRuled
        end={
          <DialogButton text="Change the price" look="sm end" isShown={mayChange && versions.length > 0}>
            <PriceDialog agentId={agentId} indicator={indicator} versions={versions} />
          </DialogButton>
        }
        lead={
          isUnknown
            ? "The agent has no indicator of this name."
            : "A price applies to usage received while it is in force. What is billed already does not change."
        }
      >
        {!isUnknown && (
          <Loaded query={prices} failure="The history could not be loaded." pending={bone}>
            {(rows) => rows.length > 0 && <PriceHistory versions={rows} isWhole={!prices.hasNextPage} />}
          </Loaded>
        )}
        {prices.hasNextPage && (
          <div>
            <TextButton text="Older versions" look="sm" onPress={() => void prices.fetchNextPage()} />
          </div>
        )}
      </Section>
      {versions.length > 0 && <CostBox agentId={agentId} indicator={indicator} versions={versions} />}
    </>
  );
}
