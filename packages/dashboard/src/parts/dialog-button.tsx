import { type ReactNode, useState } from "react";
import { Closing } from "../api/edit.ts";
import { TextButton, type TextButtonProps } from "./button.tsx";

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
