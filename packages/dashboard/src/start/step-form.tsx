import type { FormEvent, ReactNode } from "react";
import { Button } from "react-aria-components";
import { Failure } from "../parts/failure.tsx";

interface StepFormProps {
  /** What the button does. */
  readonly action: string;
  readonly isReady: boolean;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** The form of a step, which stands in the page. */
export function StepForm({ action, isReady, isPending, error, onSubmit, children }: StepFormProps) {
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isReady && !isPending) onSubmit();
  }
  return (
    <form className="section step-form" onSubmit={submit} noValidate>
      {children}
      {error !== null && <Failure error={error} what="The step could not be completed." />}
      <div>
        <Button className="btn primary" type="submit" isDisabled={!isReady} isPending={isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
