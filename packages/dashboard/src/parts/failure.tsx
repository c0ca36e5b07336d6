import { isCreditgateError } from "@creditgate/client";
import { TextButton } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** What failed, in a sentence that a person can act on. */
export function explain(error: unknown): string {
  if (!isCreditgateError(error)) return "Something unexpected happened. Reload the page.";
  const { status, problem } = error;
  if (status === 401) return "Your session has ended. Sign in again.";
  if (status === 403) return "Your role does not allow this. Ask an owner of the organization.";
  if (status === 429) return "Too many attempts. Wait a minute, and try again.";
  if (problem?.code === "idempotency_key_reused")
    return "This was already submitted with other values. Close the dialog and check the current state.";
  const detail = problem?.detail;
  if (typeof detail === "string") return sentence(detail);
  if (status === undefined)
    return "The control plane is not responding. Nothing is lost. Try again in a moment.";
  if (status < 400) return "The control plane sent a response that this page cannot read. Reload the page.";
  return status >= 500
    ? "The control plane is temporarily unavailable. Try again: a repeated change is applied once."
    : `The control plane rejected this (${status}).`;
}

/** What the control plane says is wrong with fields of a form, by their names; `places` has the pointers and the codes that name each. */
export function fieldErrors<Name extends string>(
  error: unknown,
  places: Readonly<Record<Name, readonly string[]>>,
): { readonly [Field in Name]?: string } {
  const problem = isCreditgateError(error) ? error.problem : undefined;
  if (problem === undefined) return {};
  const { errors, code, detail } = problem;
  const refusals = [...(Array.isArray(errors) ? errors : []), { pointer: code, detail }];
  const found: { [Field in Name]?: string } = {};
  for (const name in places) {
    const refusal = refusals.find(({ pointer }) => places[name].includes(pointer));
    // The details of a code name what they are of: `customer: expected one that exists`.
    if (typeof refusal?.detail === "string") found[name] = sentence(refusal.detail.replace(/^\w+: /, ""));
  }
  return found;
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** An error in place of what could not be loaded. */
export function Failure({
  error,
  what,
  onRetry,
}: {
  readonly error: unknown;
  readonly what: string;
  readonly onRetry?: () => void;
}) {
  return (
    <div className="note bad" role="alert">
      <Icon name="alert" />
      <div>
        <b>{what}</b> {explain(error)}
      </div>
      {onRetry && <TextButton text="Try again" look="sm" onPress={onRetry} />}
    </div>
  );
}

/** Says that what stands below could not be loaded again; nothing where it could. */
export function OldNote({
  query: { error, refetch },
}: {
  readonly query: { readonly error: unknown; readonly refetch: () => unknown };
}) {
  if (error === null) return null;
  return <Failure error={error} what="This data may be out of date." onRetry={() => void refetch()} />;
}
