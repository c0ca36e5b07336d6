import { isCreditgateError } from "@creditgate/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay, useOrganizationId } from "../api/account.ts";
import { TextButton } from "../parts/button.tsx";
import { Failure } from "../parts/failure.tsx";
import { Section } from "../parts/page.tsx";
import { CostBox } from "./cost-box.tsx";
import { PriceDialog } from "./price-dialog.tsx";
import { PriceHistory } from "./price-history.tsx";
import { pricesQuery } from "./queries.ts";

/** What an indicator has cost, costs and will cost, and what a use would. */
export function IndicatorView({ agentId, indicator }: { agentId: string; indicator: string }) {
  const organizationId = useOrganizationId();
  const mayChange = useMay("money");
  const [isChanging, setIsChanging] = useState(false);
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
          mayChange &&
          versions.length > 0 && (
            <TextButton text="Change the price" look="sm end" onPress={() => setIsChanging(true)} />
          )
        }
        lead={
          isUnknown
            ? "The agent has no indicator of this name."
            : "A price applies to usage received while it is in force. What is billed already does not change."
        }
      >
        {prices.isPending && <div className="bone block" />}
        {prices.isError && !isUnknown && (
          <Failure
            error={prices.error}
            what="The history could not be loaded."
            onRetry={() => void prices.refetch()}
          />
        )}
        {versions.length > 0 && <PriceHistory versions={versions} isWhole={!prices.hasNextPage} />}
        {prices.hasNextPage && (
          <div>
            <TextButton text="Older versions" look="sm" onPress={() => void prices.fetchNextPage()} />
          </div>
        )}
      </Section>
      {versions.length > 0 && <CostBox agentId={agentId} indicator={indicator} versions={versions} />}
      {isChanging && (
        <PriceDialog
          agentId={agentId}
          indicator={indicator}
          versions={versions}
          onClose={() => setIsChanging(false)}
        />
      )}
    </>
  );
}
