import type { FormEvent, ReactNode } from "react";
import { Button, Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import type { Conflict } from "../api/edit.ts";
import { ConflictNote } from "./conflict-note.tsx";
import { Failure } from "./failure.tsx";
import { Icon } from "./icon.tsx";

/** A change under way, as `useChange` or `useEdit` gives it. */
interface Change {
  readonly isPending: boolean;
  readonly error: unknown;
  readonly conflict?: Conflict | undefined;
}

/** A dialog with a form: Escape and the cross close it, Enter sends it, and the focus goes back to where it was. */
export function FormDialog({
  title,
  action,
  isDanger = false,
  isReady = true,
  change,
  failure,
  onSubmit,
  onClose,
  children,
}: {
  readonly title: string;
  /** What the button does: verb and object. Without it there is only something to read. */
  readonly action?: string | undefined;
  /** It cannot be undone: the button is red. */
  readonly isDanger?: boolean;
  readonly isReady?: boolean;
  readonly change: Change;
  /** What has not happened where the change failed: "The customer was not created." */
  readonly failure: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const { isPending, error, conflict } = change;
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (action !== undefined && isReady && !isPending) onSubmit();
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
            {conflict !== undefined && <ConflictNote conflict={conflict} what={failure} />}
            {error !== null && error !== undefined && <Failure error={error} what={failure} />}
            <footer>
              <Button className="btn" onPress={onClose} isDisabled={isPending}>
                {action === undefined ? "Close" : "Cancel"}
              </Button>
              {action !== undefined && (
                <Button
                  className={isDanger ? "btn danger" : "btn primary"}
                  type="submit"
                  isDisabled={!isReady}
                  isPending={isPending}
                >
                  {action}
                </Button>
              )}
            </footer>
          </form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
