import type { AdminCustomer, CustomerListAnswer } from "@creditgate/admin";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { useOrganizationId } from "../api/query.ts";
import { customersQuery } from "../customers/queries.ts";
import { useSettled } from "../parts/hooks.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Name } from "../parts/name.tsx";
import { visible } from "../parts/visible.ts";
import { useJumpPages } from "./pages.ts";

/** As long as a person may pause between two letters. */
const typingMs = 150;
const customersShown = 6;

/** Where one can go. */
interface Target {
  readonly id: string;
  readonly icon: IconName;
  readonly name: string;
  readonly note?: string | undefined;
  readonly go: () => void;
}

/** Goes to a page or a customer by a few letters of its name. The focus stays in the field. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const { targets, isSearching } = useTargets(text.trim(), onClose);
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, targets.length - 1);
  const id = useId();
  const idOf = (place: number) => `${id}-${place}`;
  function steer(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && targets.length > 0) {
      setChosen((at + step + targets.length) % targets.length);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) targets[at]?.go();
    else return;
    event.preventDefault();
  }
  return (
    <ModalOverlay className="scrim high" isOpen isDismissable onOpenChange={(isOpen) => isOpen || onClose()}>
      <Modal className="modal">
        <Dialog className="dialog palette" aria-label="Search or jump to">
          <div className="input">
            <Icon name="search" />
            <input
              role="combobox"
              aria-label="A page or a customer"
              aria-expanded={targets.length > 0}
              aria-controls={id}
              aria-autocomplete="list"
              aria-activedescendant={at < 0 ? undefined : idOf(at)}
              placeholder="A page, or a customer's name, ID or email"
              autoComplete="off"
              spellCheck={false}
              maxLength={256}
              autoFocus
              value={text}
              onKeyDown={steer}
              onChange={({ target }) => {
                setText(target.value);
                setChosen(0);
              }}
            />
          </div>
          <div role="listbox" id={id} aria-label="Where to" aria-busy={isSearching}>
            {targets.map((target, place) => (
              // biome-ignore lint/a11y/useFocusableInteractive: as above.
              // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
              <div
                key={target.id}
                role="option"
                id={idOf(place)}
                aria-selected={place === at}
                ref={place === at ? intoView : undefined}
                onClick={target.go}
              >
                <Icon name={target.icon} />
                <span>
                  <Name>{target.name}</Name>
                </span>
                {target.note !== undefined && <small>{visible(target.note)}</small>}
              </div>
            ))}
          </div>
          <p className="quiet small" role="status">
            {targets.length === 0 &&
              (isSearching
                ? "Searching"
                : "Nothing is found. Customers are found by the beginning of a word.")}
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function intoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}

/** Whether a word of its name, ID or email begins so, as the control plane searches. */
function begins({ name, externalId, email }: AdminCustomer, text: string): boolean {
  const words = [name, externalId, email]
    .join(" ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.some((word) => word.startsWith(text.toLowerCase()));
}

/** The customers of all lists and searches that have been answered, each once. */
function remembered(queryClient: QueryClient, organizationId: string): readonly AdminCustomer[] {
  const answers = queryClient.getQueriesData<CustomerListAnswer>({ queryKey: ["customers", organizationId] });
  const customers = answers.flatMap(([, answer]) => answer?.customers ?? []);
  return [...new Map(customers.map((customer) => [customer.externalId, customer])).values()];
}

/** The pages whose name has a word that begins so, and the customers that the control plane finds. */
function useTargets(
  text: string,
  onClose: () => void,
): { readonly targets: readonly Target[]; readonly isSearching: boolean } {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const search = useSettled(text, typingMs);
  const found = useQuery({
    ...customersQuery(organizationId, { search }),
    enabled: search !== "" && organizationId !== "",
  });
  const pages = useJumpPages()
    .filter(({ name }) => ` ${name}`.toLowerCase().includes(` ${text.toLowerCase()}`))
    .map(
      ({ to, icon, name, letter }): Target => ({
        id: to,
        icon,
        name,
        note: letter && `g ${letter}`,
        go() {
          onClose();
          void navigate({ to, params: { organizationId } });
        },
      }),
    );
  // Until they have been asked for, all that the window remembers is shown: the answer for other letters takes nothing away.
  const isCurrent = search === text && found.isSuccess && !found.isPlaceholderData;
  const customers = isCurrent
    ? found.data.customers
    : remembered(queryClient, organizationId).filter((customer) => begins(customer, text));
  const targets = customers.slice(0, text === "" ? 0 : customersShown).map(
    ({ externalId, name }): Target => ({
      id: `customer ${externalId}`,
      icon: "customers",
      name: name ?? externalId,
      note: externalId,
      go() {
        onClose();
        void navigate({
          to: "/organizations/$organizationId/customers/$customerId",
          params: { organizationId, customerId: externalId },
        });
      },
    }),
  );
  return {
    targets: [...pages, ...targets],
    isSearching: text !== "" && (search !== text || found.isFetching),
  };
}
