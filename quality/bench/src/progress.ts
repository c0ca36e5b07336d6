import process from "node:process";

/** Shows how far a long run has come: a bar on a terminal, else a line for every tenth. */
export function createProgress(total: number): (done: number) => void {
  const { stderr } = process;
  const width = 40;
  let shown = -1;
  return (done) => {
    const part = total === 0 ? 1 : done / total;
    const step = Math.floor(part * (stderr.isTTY ? 100 : 10));
    if (step === shown) return;
    shown = step;
    const filled = Math.round(part * width);
    const bar = `${"█".repeat(filled)}${"░".repeat(width - filled)} ${Math.floor(part * 100)} %`;
    stderr.write(stderr.isTTY ? `\r${bar}${part >= 1 ? "\n" : ""}` : `${bar}\n`);
  };
}
