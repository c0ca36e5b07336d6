import { useInfiniteQuery } from "@tanstack/react-query";
import { indicatorsQuery, useAllAgents } from "../agents/queries.ts";
import { useOrganizationId } from "../api/query.ts";
import { Icon } from "../parts/icon.tsx";
import { AddressDays, AddressFilter, Filter, SearchBox, useFilters } from "../parts/toolbar.tsx";
import { outcomeFilters, type UsageSearch } from "./queries.ts";

/** Whose usage, of what, what has become of it, and when. */
export function UsageToolbar({ search }: { readonly search: UsageSearch }) {
  const organizationId = useOrganizationId();
  const { by, agent, indicator, outcome } = search;
  const agents = useAllAgents();
  const indicators = useInfiniteQuery({
    ...indicatorsQuery(organizationId, agent ?? ""),
    enabled: agent !== undefined,
  });
  const { set } = useFilters();
  return (
    <div className="toolbar">
      <SearchBox label="Customer ID" />
      <Filter
        label="Agent"
        value={agent ?? ""}
        options={withChosen(
          "Any agent",
          agent,
          (agents.data ?? []).map((one) => [one.agentId, one.agentName]),
        )}
        onChange={(chosen) => set({ agent: chosen, indicator: undefined })}
      />
      {agent !== undefined && (
        <AddressFilter
          label="Indicator"
          name="indicator"
          options={withChosen(
            "Any indicator",
            indicator,
            (indicators.data ?? []).map(({ name }) => [name, name]),
          )}
        />
      )}
      {by === undefined && (
        <AddressFilter
          label="Outcome"
          name="outcome"
          options={withChosen("Any outcome", outcome, Object.entries(outcomeFilters))}
        />
      )}
      <AddressDays label="Received" />
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

/** Pauses the feed and lets it go on; the key `p` presses it. */
export function LiveButton({
  isOn,
  isWaiting,
  onChange,
}: {
  readonly isOn: boolean;
  /** The connection is lost, and tried again. */
  readonly isWaiting: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  return (
    <button
      type="button"
      className="btn"
      data-key="p"
      aria-pressed={isOn}
      title={isOn ? "Pause (p)" : "Go on (p)"}
      onClick={() => onChange(!isOn)}
    >
      <span
        className={isOn ? (isWaiting ? "pulse warn" : "pulse accent") : "pulse still"}
        aria-hidden="true"
      />
      Live
      <Icon name={isOn ? "pause" : "play"} />
    </button>
  );
}
