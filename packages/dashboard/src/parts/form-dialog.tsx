import { type FormEvent, type ReactNode, useContext, useState } from "react";
import { Button, Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { type Action, Closing, type Conflict, type Form, useAction } from "../api/edit.ts";
import { formatChange, formatCredits } from "./amounts.ts";
import { TextButton, type TextButtonProps } from "./button.tsx";
import { actorName, changesOf } from "./changes.ts";
import { Failure } from "./failure.tsx";
import { Icon } from "./icon.tsx";
import { Name } from "./name.tsx";
import { Table } from "./table.tsx";
import { Ago } from "./time.tsx";

interface DialogProps {
  readonly title: string;
  /** What the button does: verb and object. Without it the dialog only shows something. */
  readonly action?: string | undefined;
  /** It cannot be undone: the button is red. */
  readonly isDanger?: boolean;
  readonly isReady?: boolean;
  /** What has not happened if the change fails: "The customer was not created." */
  readonly failure: string;
  readonly children: ReactNode;
}

/** A dialog with a form: Escape and the cross close it, Enter sends it, and the focus returns to where it was. */
export function FormDialog({
  title,
  action,
  isDanger = false,
  isReady = true,
  form,
  failure,
  children,
}: DialogProps & { readonly form: Form }) {
  const { isPending, error, conflict, result } = form;
  const close = useContext(Closing);
  if (result !== undefined) return result;
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (action !== undefined && isReady && !isPending) form.submit();
  }
  return (
    <ModalOverlay className="scrim" isOpen onOpenChange={(isOpen) => isOpen || isPending || close()}>
      <Modal className="modal">
        <Dialog>
          <form className="dialog" onSubmit={submit} noValidate>
            <Heading slot="title" level={2}>
              <Name>{title}</Name>
            </Heading>
            <Button className="icon-btn close" aria-label="Close" onPress={close} isDisabled={isPending}>
              <Icon name="close" />
            </Button>
            {children}
            {conflict !== undefined && <ConflictNote conflict={conflict} what={failure} />}
            {error !== null && error !== undefined && <Failure error={error} what={failure} />}
            <footer>
              <Button className="btn" onPress={close} isDisabled={isPending}>
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

/** A dialog that sends something once, and closes. */
export function ActionDialog<Answer>({ send, untrue = [], onDone, ...dialog }: DialogProps & Action<Answer>) {
  return <FormDialog {...dialog} form={useAction({ send, untrue, onDone })} />;
}

/** A dialog that shows something, or the place of one whose form is not loaded yet. */
export function ViewDialog(dialog: Omit<DialogProps, "failure">) {
  const form = { isPending: false, error: undefined, submit: useContext(Closing) };
  return <FormDialog {...dialog} failure="" form={form} />;
}

/** Names who has changed what while the form was open. The form keeps what was written: it can be saved again, or discarded. */
function ConflictNote({
  conflict: { edits, seen, current, labels, takeTheirs },
  what,
}: {
  readonly conflict: Conflict;
  readonly what: string;
}) {
  const changes = changesOf(seen, current);
  return (
    <div className="note warn" role="alert">
      <Icon name="alert" />
      <div>
        <p>
          <b>{what}</b> Someone else changed this while the form was open.
        </p>
        <ul className="plain">
          {edits.map(({ by, at, fields }) =>
            fields.map((field) => {
              const { before, after } = changes.find((one) => one.field === field) ?? {};
              return (
                <li key={field}>
                  <b>{labels[field] ?? field}</b>: {before ?? "none"} → {after ?? "none"}{" "}
                  <span className="quiet">
                    by {by === null ? "someone" : actorName(by)}
                    {at !== null && (
                      <>
                        , <Ago at={at} />
                      </>
                    )}
                  </span>
                </li>
              );
            }),
          )}
        </ul>
        <p>Your changes are still in the form. Save again to apply them.</p>
      </div>
      <TextButton text="Discard my changes" look="sm" onPress={takeTheirs} />
    </div>
  );
}

/** One amount before and after, in micro-credits. */
export interface EffectRow {
  readonly name: string;
  readonly now: bigint;
  readonly change: bigint;
}

/** The effect of a change, shown before it is made. */
export function Effect({
  rows = [],
  children,
}: {
  readonly rows?: readonly EffectRow[];
  readonly children?: ReactNode;
}) {
  return (
    <div className="effect">
      <b>What will happen</b>
      {rows.length > 0 && (
        <Table
          caption="Before and after, in credits"
          rows={rows}
          idOf={({ name }) => name}
          columns={(column) => [
            column("Part", { isUnseen: true, isName: true }, ({ name }) => name),
            column("Now", { isNumber: true }, ({ now }) => formatCredits(now)),
            column("Change", { isNumber: true }, ({ change }) => formatChange(change)),
            column("After", { isNumber: true }, ({ now, change }) => <b>{formatCredits(now + change)}</b>),
          ]}
        />
      )}
      {children}
    </div>
  );
}

/** The place of an effect that is not loaded yet, or cannot be. */
export function EffectPlace({ error, isLoaded }: { error: Error | null; isLoaded: boolean }) {
  if (error !== null) return <Failure error={error} what="The preview could not be loaded." />;
  return !isLoaded && <div className="bone block" />;
}

interface DialogButtonProps extends Omit<TextButtonProps, "onPress"> {
  /** A dialog that is open stays, also where its button goes. @default true */
  readonly isShown?: boolean;
  /** The dialog. */
  readonly children: ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ isShown = true, children, ...button }: DialogButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {isShown && <TextButton {...button} onPress={() => setIsOpen(true)} />}
      {isOpen && <Closing value={() => setIsOpen(false)}>{children}</Closing>}
    </>
  );
}
