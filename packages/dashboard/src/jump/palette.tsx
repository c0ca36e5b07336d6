import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { useOrganizationId } from "../api/query.ts";
import { useFoundCustomers } from "../customers/found.ts";
import { Icon } from "../parts/icon.tsx";
import { type Option, useOptions } from "../parts/options.tsx";
import { useJumpPages } from "./pages.ts";

/** Goes to a page or a customer by a few letters of its name. The focus stays in the field. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const { targets, isSearching } = useTargets(text.trim(), onClose);
  const { field, list, restart } = useOptions("Results", targets, isSearching);
  return (
    <ModalOverlay className="scrim high" isOpen isDismissable onOpenChange={(isOpen) => isOpen || onClose()}>
      <Modal className="modal">
        <Dialog className="dialog palette" aria-label="Search or jump to">
          <div className="input">
            <Icon name="search" />
            <input
              {...field}
              aria-label="A page or a customer"
              placeholder="A page, or a customer's name, ID or email"
              autoFocus
              value={text}
              onChange={({ target }) => {
                setText(target.value);
                restart();
              }}
            />
          </div>
          {list}
          <p className="quiet small" role="status">
            {targets.length === 0 &&
              (isSearching ? "Searching…" : "No results. Search by the start of a word.")}
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The pages whose name has a word that begins so, and the customers that the control plane finds. */
function useTargets(
  text: string,
  onClose: () => void,
): { readonly targets: readonly Option[]; readonly isSearching: boolean } {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { found, isSearching } = useFoundCustomers(text);
  const pages = useJumpPages()
    .filter(({ name }) => ` ${name}`.toLowerCase().includes(` ${text.toLowerCase()}`))
    .map(
      ({ to, icon, name, letter }): Option => ({
        ...{ id: to, icon, name, note: letter && `g ${letter}` },
        take() {
          onClose();
          void navigate({ to, params: { organizationId } });
        },
      }),
    );
  const customers = found.map(
    ({ externalId, name }): Option => ({
      ...{ id: `customer ${externalId}`, icon: "customers", name, note: externalId },
      take() {
        onClose();
        void navigate({
          to: "/organizations/$organizationId/customers/$customerId",
          params: { organizationId, customerId: externalId },
        });
      },
    }),
  );
  return { targets: [...pages, ...customers], isSearching };
}
