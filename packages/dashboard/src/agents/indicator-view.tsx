import { isCreditgateError } from "@creditgate/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useMay, useOrganizationId } from "../api/account.ts";
import { Failure } from "../parts/failure.tsx";
import { CostBox } from "./cost-box.tsx";
import { PriceDialog } from "./price-dialog.tsx";
import { PriceHistory } from "./price-history.tsx";
import { pricesQuery } from "./queries.ts";

/** What an indicator has cost, costs and will cost, and what a use would. */
export function IndicatorView({
  agentId,
  indicator,
}: {
  readonly agentId: string;
  readonly indicator: string;
}): ReactNode {
  const organizationId = useOrganizationId();
  const mayChange = useMay("money");
  const [isChanging, setIsChanging] = useState(false);
  const prices = useInfiniteQuery(pricesQuery(organizationId, agentId, indicator));
  const versions = prices.data ?? [];
  const isUnknown = isCreditgateError(prices.error) && prices.error.status === 404;
  return (
    <>
      <section className="section rule" aria-labelledby="history">
        <header>
          <h2 id="history">
            History of <code>{indicator}</code>
          </h2>
          {mayChange && versions.length > 0 && (
            <Button className="btn sm end" onPress={() => setIsChanging(true)}>
              Change the price
            </Button>
          )}
          <p>
            {isUnknown
              ? "The agent has no indicator of this name."
              : "A price applies to usage received while it is in force. What is billed already does not change."}
          </p>
        </header>
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
            <Button className="btn sm" onPress={() => void prices.fetchNextPage()}>
              Older versions
            </Button>
          </div>
        )}
      </section>
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
