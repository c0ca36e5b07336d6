import type { ReactNode } from "react";
import { Icon } from "../parts/icon.tsx";

/** Pauses the feed and lets it go on; the key `p` presses it. */
export function LiveButton({
  isOn,
  isWaiting,
  onChange,
}: {
  readonly isOn: boolean;
  /** The connection is lost, and tried again. */
  readonly isWaiting: boolean;
  readonly onChange: (isOn: boolean) => void;
}): ReactNode {
  return (
    <button
      type="button"
      className="btn"
      data-key="p"
      aria-pressed={isOn}
      title={isOn ? "Pause (p)" : "Go on (p)"}
      onClick={() => onChange(!isOn)}
    >
      <span
        className={isOn ? (isWaiting ? "pulse warn" : "pulse accent") : "pulse still"}
        aria-hidden="true"
      />
      Live
      <Icon name={isOn ? "pause" : "play"} />
    </button>
  );
}
