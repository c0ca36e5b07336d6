import { type ReactNode, useContext } from "react";
import { Button, Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Closing } from "../api/edit.ts";
import { Secret } from "./button.tsx";
import { Name } from "./name.tsx";

/** For how many seconds an old key or secret stays valid beside the new one. */
export const overlaps = [
  { value: "86400", label: "For 1 day" },
  { value: "3600", label: "For 1 hour" },
  { value: "604800", label: "For 1 week" },
  { value: "0", label: "Revoke it now: it has leaked" },
];

interface SecretDialogProps {
  readonly title: string;
  /** What it is: "The secret of the endpoint". */
  readonly label: string;
  readonly secret: string;
  /** What to do with it. */
  readonly children: ReactNode;
}

/** Shows once what is not kept here in the clear. Only its button closes it, so that it is not lost by a slip. */
export function SecretDialog({ title, label, secret, children }: SecretDialogProps) {
  return (
    <ModalOverlay className="scrim" isOpen isKeyboardDismissDisabled>
      <Modal className="modal">
        <Dialog>
          <div className="dialog">
            <Heading slot="title" level={2}>
              <Name>{title}</Name>
            </Heading>
            <Secret label={label} secret={secret} />
            <div className="note warn">
              <div>
                <b>This is shown only once.</b> {children}
              </div>
            </div>
            <footer>
              <Button className="btn primary" autoFocus onPress={useContext(Closing)}>
                Done
              </Button>
            </footer>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
