import { formatLines } from "#bench/run/table";

/** One line of a benchmark's table. */
export interface Figure {
  /** What was measured, and its unit. */
  figure: string;
  /** The target in words. Absent for a figure that only explains another one. */
  target?: string;
  measured: number;
  /** The maximum of this machine, measured in the same run. */
  floor?: number;
  /** measured / floor. */
  ratio?: number;
  isMet?: boolean;
}

/** Returns a figure whose target is at least, or at most, a multiple of its floor. */
export function compareToFloor(
  figure: string,
  { measured, floor }: { measured: number; floor: number },
  bound: { atLeast: number } | { atMost: number },
): Figure {
  const ratio = measured / floor;
  if ("atLeast" in bound) {
    return { figure, target: `>= ${bound.atLeast} of floor`, measured, floor, ratio, isMet: ratio >= bound.atLeast };
  }
  return { figure, target: `<= ${bound.atMost}x floor`, measured, floor, ratio, isMet: ratio <= bound.atMost };
}

/** Returns a figure with an absolute target. */
export function compareToNumber(
  figure: string,
  measured: number,
  bound: { atLeast: number } | { atMost: number },
): Figure {
  const isMet = "atLeast" in bound ? measured >= bound.atLeast : measured <= bound.atMost;
  return {
    figure,
    target: "atLeast" in bound ? `>= ${format(bound.atLeast)}` : `<= ${format(bound.atMost)}`,
    measured,
    isMet,
  };
}

/** Returns the CPU cost of an answer, which is more reliable than a rate if other programs use the machine too. */
export function cpuFigure(what: string, product: { cpuMs: number }, floor: { cpuMs: number }): Figure {
  const ratio = product.cpuMs / floor.cpuMs;
  return { figure: `CPU ms: ${what}, server and Postgres`, measured: product.cpuMs, floor: floor.cpuMs, ratio };
}

const HEAD = ["figure", "target", "measured", "floor", "ratio", ""];

/** Formats the figures as an aligned table. */
export function formatTable(figures: readonly Figure[]): string {
  return `${formatLines([HEAD, ...figures.map(cells)], 2)}\n`;
}

function cells({ figure, target, measured, floor, ratio, isMet }: Figure): string[] {
  const verdict = isMet === undefined ? "" : isMet ? "ok" : "MISSED";
  return [figure, target ?? "", format(measured), format(floor), format(ratio), verdict];
}

/** Formats three significant digits, which is already more than such measurements are worth. */
function format(value: number | undefined): string {
  if (value === undefined) return "";
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
