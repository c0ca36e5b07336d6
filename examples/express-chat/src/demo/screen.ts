/** Prints the demo: lines that stay, and below them a picture that changes. */
export interface Screen {
  /** Prints a line that stays. */
  say(line: string): void;
  /** Replaces the picture. */
  show(picture: readonly string[]): void;
  /** Leaves the last picture where it is; what comes next goes below it. */
  keep(): void;
}

/** As much of a terminal, or of a file, as is needed. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Redraws in place on a terminal; elsewhere prints only what stays. */
export function createScreen(output: Output): Screen {
  return output.isTTY ? terminalScreen(output) : plainScreen(output);
}

const csi = "\u001b[";

function terminalScreen(output: Output): Screen {
  let picture: readonly string[] = [];
  let drawn = 0;

  const erased = () => (drawn === 0 ? "" : `${csi}${drawn}A\r${csi}J`);
  const draw = (before: string): void => {
    const width = Math.max(20, output.columns || 80);
    // A line that wraps would take two rows, and the next picture would be drawn too low.
    const lines = picture.map((line) => `${[...line].slice(0, width).join("")}\n`);
    // In one piece, so that it does not flicker.
    output.write(`${erased()}${before}${lines.join("")}`);
    drawn = lines.length;
  };

  return {
    say: (line) => draw(`${line}\n`),
    show(next) {
      picture = next;
      draw("");
    },
    keep() {
      picture = [];
      drawn = 0;
    },
  };
}

function plainScreen(output: Output): Screen {
  let picture: readonly string[] = [];
  return {
    say: (line) => void output.write(`${line}\n`),
    show(next) {
      picture = next;
    },
    keep() {
      for (const line of picture) output.write(`${line}\n`);
      picture = [];
    },
  };
}
