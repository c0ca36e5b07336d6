/** Prints a table: the first column to the left, figures to the right. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const print = (line: readonly string[]) =>
    console.log(
      line
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("   "),
    );
  print(header);
  console.log(widths.map((width) => "-".repeat(width)).join("   "));
  for (const row of rows) print(row);
}
