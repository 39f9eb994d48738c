import { countOf, longestOf } from "#bench/abuse/read-delays";
import type { AttackResult } from "#bench/abuse/run-attack";
import { percentile } from "#bench/measure/statistics";
import { formatLines } from "#bench/run/table";

/** A measurement that the victim or the operator would notice, and its limit. */
export interface Bar {
  /** The column's heading. */
  name: string;
  limit: number;
  measured: number;
  isMet: boolean;
}

/**
 * Returns the bars, which hold for two cores. The machine's other work counts too: `calm` shows the values without an
 * attack.
 */
export function barsOf({ victim, processes }: AttackResult): Bar[] {
  const bar = (name: string, measured: number, limit: number): Bar => {
    // A missing measurement is not a success.
    return { name, limit, measured, isMet: measured <= limit };
  };
  return [
    bar("start p95 ms", percentile(victim.startMs, 0.95), 1_000),
    bar("code p95 ms", percentile(victim.codeMs, 0.95), 1_000),
    bar("healthz p95 ms", percentile(victim.healthMs, 0.95), 250),
    bar("web MiB", processes.webMib, 700),
    bar("worker MiB", processes.workerMib, 500),
    bar("deaths", processes.deaths.length, 0),
    bar("faults", victim.faults.length, 0),
  ];
}

/** Returns the measurements that have no bar. */
export function notesOf({ victim, processes, delays }: AttackResult): [name: string, measured: number][] {
  return [
    ["healthz max ms", Math.max(...victim.healthMs)],
    ["accept p95 ms", percentile(victim.acceptMs, 0.95)],
    ["children MiB", processes.childrenMib],
    ["web blocked ms", longestOf(delays.web)?.cpuMs ?? 0],
    ["worker blocked ms", longestOf(delays.worker)?.cpuMs ?? 0],
  ];
}

/** Formats one line per attack and marks each missed bar. */
export function formatResults(results: readonly AttackResult[]): string {
  const [first] = results;
  if (!first) return "";
  const head = ["attack", ...barsOf(first).map(({ name }) => name), ...notesOf(first).map(([name]) => name), ""];
  const limits = ["at most", ...barsOf(first).map(({ limit }) => format(limit)), ...notesOf(first).map(() => ""), ""];
  const rows = results.map((result) => {
    const bars = barsOf(result);
    const cells = bars.map(({ measured, isMet }) => `${format(measured)}${isMet ? "" : "!"}`);
    return [result.attack, ...cells, ...notesOf(result).map(([, measured]) => format(measured)), verdictOf(result)];
  });
  return formatLines([head, limits, ...rows], 1);
}

function verdictOf(result: AttackResult): string {
  const isMet = [...barsOf(result), ...result.facts].every((one) => one.isMet);
  return isMet ? "ok" : "MISSED";
}

/** Formats the facts, which must hold on any machine, and the answers that the attacker got. */
export function formatFacts({ attack, facts, answers, delays }: AttackResult): string {
  const lines = facts.map(({ what, isMet, measured }) => `  ${isMet ? "ok    " : "BROKEN"}  ${what}: ${measured}`);
  const got = answers.slice(0, 8).map(([what, count]) => `${count} x ${what}`);
  const blocked = Object.entries(delays).flatMap(([name, all]) => {
    const { cpuMs, delayMs, work } = longestOf(all) ?? {};
    return work
      ? [`  ${name} blocked ${countOf(all)} times, at most ${cpuMs} ms of CPU in ${delayMs} ms: ${work}`]
      : [];
  });
  return [attack, ...lines, ...blocked, `  the attacker got ${got.join(", ") || "nothing"}`].join("\n");
}

function format(value: number): string {
  if (Number.isNaN(value)) return "none";
  return Math.round(value).toLocaleString("en");
}
