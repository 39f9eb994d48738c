import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** The longest delay of a log line about a blocked event loop. A process writes at most one line per minute. */
interface Delay {
  /** How many delays the line counts. */
  count: number;
  delayMs: number;
  /** The part that the process spent computing. The rest is time that it waited for a core. */
  cpuMs: number;
  /** The operation, or the run and the step, that blocked it. */
  work: string;
}

export interface Delays {
  web: Delay[];
  worker: Delay[];
}

interface LogLine {
  count?: number;
  delay_ms?: number;
  cpu_ms?: number;
  operation?: string;
  node_id?: string;
}

const LOGS = ["web", "worker"] as const;

/**
 * Notes the current length of the logs. The returned function reads what the product has logged about blocked event
 * loops since then.
 */
export async function openDelays(dataDir: string): Promise<() => Promise<Delays>> {
  const pathOf = (name: string) => join(dataDir, "logs", `${name}.log`);
  const sizes = await Promise.all(LOGS.map((name) => stat(pathOf(name)).then(({ size }) => size)));
  return async () => {
    const [web = [], worker = []] = await Promise.all(
      LOGS.map(async (name, index) => {
        const added = (await readFile(pathOf(name))).subarray(sizes[index]).toString("utf8");
        return added.split("\n").flatMap(readDelay);
      }),
    );
    return { web, worker };
  };
}

/** Returns how many delays the lines count. */
export function countOf(delays: readonly Delay[]): number {
  return delays.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the delay that used the most CPU time. */
export function longestOf(delays: readonly Delay[]): Delay | undefined {
  return delays.toSorted((left, right) => right.cpuMs - left.cpuMs)[0];
}

function readDelay(line: string): Delay[] {
  try {
    const { count = 1, delay_ms: delayMs, cpu_ms: cpuMs, operation, node_id: nodeId } = JSON.parse(line) as LogLine;
    if (delayMs === undefined || cpuMs === undefined) return [];
    return [{ count, delayMs, cpuMs, work: operation ?? (nodeId ? `step ${nodeId}` : "unknown work") }];
  } catch {
    // Output that is not a log line.
    return [];
  }
}
