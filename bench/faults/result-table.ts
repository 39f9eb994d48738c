import type { Violations } from "#bench/faults/count-violations";
import { formatLines } from "#bench/run/table";

/** One line of the result table. */
export interface Row {
  /** The scenario's id, such as "R1". */
  id: string;
  what: string;
  target: string;
  measured: string;
  /** Null if the row has no target and only informs. */
  isMet: boolean | null;
  /** True for a row that must hold on any machine, however slow. */
  isCorrectness: boolean;
}

/** Returns a row for a count that must be zero. */
export function zeroRow(id: string, what: string, count: number): Row {
  return { id, what, target: "0", measured: String(count), isMet: count === 0, isCorrectness: true };
}

const LABELS: Record<keyof Violations, string> = {
  lost: "acknowledged runs lost",
  createdTwice: "calls that made two runs",
  stuck: "runs stuck",
  wrongEnd: "runs with another outcome than they should have",
  wrongOutput: "runs with a wrong output",
  missingStep: "succeeded runs with a missing step",
  completedTwice: "steps completed twice in the journal",
  startedAfterCompletion: "completed steps executed again",
  calledAfterCompletion: "calls after their step's completion",
  unproven: "loads without an acknowledged run",
};

export function violationRows(id: string, violations: Violations): Row[] {
  return (Object.keys(LABELS) as (keyof Violations)[]).map((name) => zeroRow(id, LABELS[name], violations[name]));
}

/** Returns a row for a time or share, which a loaded machine may miss. */
export function limitRow(id: string, what: string, measured: number, limit: number, unit: "s" | "%"): Row {
  const show = (value: number) => (unit === "s" ? `${value.toFixed(2)} s` : `${value.toFixed(2)} %`);
  const isMet = measured <= limit;
  return { id, what, target: `<= ${show(limit)}`, measured: show(measured), isMet, isCorrectness: false };
}

export function noteRow(id: string, what: string, measured: string): Row {
  return { id, what, target: "", measured, isMet: null, isCorrectness: false };
}

/** Returns true if a promise is broken, no matter how slow the machine is. */
export function isViolated({ isCorrectness, isMet }: Row): boolean {
  return isCorrectness && isMet === false;
}

export function formatRows(rows: readonly Row[]): string {
  const cells = rows.map((row) => [row.id, row.what, row.target, row.measured, verdict(row)]);
  return formatLines([["", "what", "target", "measured", ""], ...cells], 5);
}

function verdict(row: Row): string {
  if (row.isMet === null) return "";
  if (row.isMet) return "ok";
  return isViolated(row) ? "VIOLATED" : "missed";
}
