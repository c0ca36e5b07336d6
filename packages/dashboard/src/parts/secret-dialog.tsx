import { type ReactNode, useContext } from "react";
import { Button, Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Closing } from "../api/edit.ts";
import { CopyButton } from "./button.tsx";
import { Name } from "./name.tsx";

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
            <div className="field">
              <span className="label">{label}</span>
              <div className="secret">
                <code>{secret}</code>
                <CopyButton className="btn sm" text={secret} label={`Copy: ${label}`}>
                  Copy
                </CopyButton>
              </div>
            </div>
            <div className="note warn">
              <div>
                <b>It is shown this once.</b> {children}
              </div>
            </div>
            <footer>
              <Button className="btn primary" autoFocus onPress={useContext(Closing)}>
                I have it
              </Button>
            </footer>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
