import type { FormEvent, ReactNode } from "react";
import { Button, Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Icon } from "./icon.tsx";

/** A dialog with a form: Escape and the cross close it, Enter sends it, and the focus goes back to where it was. */
export function FormDialog({
  title,
  action,
  isReady,
  isPending,
  onSubmit,
  onClose,
  children,
}: {
  readonly title: string;
  /** What the button does: verb and object. */
  readonly action: string;
  readonly isReady: boolean;
  readonly isPending: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isReady && !isPending) onSubmit();
  }
  return (
    <ModalOverlay className="scrim" isOpen onOpenChange={(isOpen) => isOpen || isPending || onClose()}>
      <Modal className="modal">
        <Dialog>
          <form className="dialog" onSubmit={submit} noValidate>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button className="icon-btn close" aria-label="Close" onPress={onClose} isDisabled={isPending}>
              <Icon name="close" />
            </Button>
            {children}
            <footer>
              <Button className="btn" onPress={onClose} isDisabled={isPending}>
                Cancel
              </Button>
              <Button className="btn primary" type="submit" isDisabled={!isReady} isPending={isPending}>
                {action}
              </Button>
            </footer>
          </form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
