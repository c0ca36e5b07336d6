import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useCallback } from "react";
import { indicatorsQuery, useAllAgents } from "../agents/queries.ts";
import { useOrganizationId } from "../api/account.ts";
import { DaySpanFilter } from "../parts/day-span.tsx";
import { Filter } from "../parts/filter.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { filtered } from "../parts/search-change.ts";
import { outcomeFilters, type UsageSearch } from "./search.ts";

/** Whose usage, of what, what has become of it, and when. */
export function UsageToolbar({ search }: { readonly search: UsageSearch }): ReactNode {
  const organizationId = useOrganizationId();
  const navigate = useNavigate({ from: "/organizations/$organizationId/usage" });
  const { by, customer, agent, indicator, outcome, from, to } = search;
  const agents = useAllAgents(organizationId);
  const indicators = useInfiniteQuery({
    ...indicatorsQuery(organizationId, agent ?? ""),
    enabled: agent !== undefined,
  });
  const set = useCallback(
    (change: Readonly<Record<string, string | undefined>>) =>
      void navigate({ search: (before) => filtered(before, change), replace: true, resetScroll: false }),
    [navigate],
  );
  const find = useCallback((text: string) => set({ customer: text.trim() }), [set]);
  return (
    <div className="toolbar">
      <SearchBox label="Customer ID" value={customer ?? ""} onChange={find} />
      <Filter
        label="Agent"
        value={agent ?? ""}
        options={withChosen(
          "Any agent",
          agent,
          (agents.data ?? []).map((one) => [one.agentId, one.agent_name]),
        )}
        onChange={(chosen) => set({ agent: chosen, indicator: undefined })}
      />
      {agent !== undefined && (
        <Filter
          label="Indicator"
          value={indicator ?? ""}
          options={withChosen(
            "Any indicator",
            indicator,
            (indicators.data ?? []).map(({ name }) => [name, name]),
          )}
          onChange={(chosen) => set({ indicator: chosen })}
        />
      )}
      {by === undefined && (
        <Filter
          label="Outcome"
          value={outcome ?? ""}
          options={withChosen("Any outcome", outcome, Object.entries(outcomeFilters))}
          onChange={(chosen) => set({ outcome: chosen })}
        />
      )}
      <DaySpanFilter label="Received" span={{ from, to }} onChange={(span) => set({ ...span })} />
    </div>
  );
}

/** What is chosen is there before the list is, and where the list has no end. */
function withChosen(
  any: string,
  chosen: string | undefined,
  options: readonly (readonly [string, string])[],
) {
  const isThere = chosen === undefined || options.some(([value]) => value === chosen);
  return [
    { value: "", label: any },
    ...options.map(([value, label]) => ({ value, label })),
    ...(isThere ? [] : [{ value: chosen, label: chosen }]),
  ];
}
