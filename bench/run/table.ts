/** Aligns the cells of a table's lines. The first `left` columns are aligned to the left, the others to the right. */
export function formatLines(lines: readonly (readonly string[])[], left: number): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const align = (cell: string, column: number) =>
    column < left ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(align).join("  ").trimEnd()).join("\n");
}

/** Prints a line of progress, with the seconds since the process started. */
export function report(text: string): void {
  process.stderr.write(`${(performance.now() / 1_000).toFixed(0).padStart(5)} s  ${text}\n`);
}
