import { readdirSync, readFileSync } from "node:fs";

interface ProcessStat {
  pid: number;
  parent: number;
  ownMs: number;
  /** CPU time of ended children. */
  endedChildrenMs: number;
}

/** Linux counts in hundredths of a second (USER_HZ), independent of the kernel's own clock. */
const TICK_MS = 10;

/** Returns the CPU time of processes and all their children since they started, in ms. Linux only. */
export function readCpuMs(pids: readonly number[]): number {
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)));
  const childrenOf = Map.groupBy(stats, (stat) => stat.parent);
  const sum = (stat: ProcessStat): number =>
    stat.ownMs +
    stat.endedChildrenMs +
    (childrenOf.get(stat.pid) ?? []).reduce((total, child) => total + sum(child), 0);
  return stats.filter((stat) => pids.includes(stat.pid)).reduce((total, stat) => total + sum(stat), 0);
}

/**
 * Returns the memory of processes and all their children, in MiB. `resident` counts shared memory (Node itself) once
 * per process, and `proportional` counts it once in total.
 */
export function readMemoryMib(pids: readonly number[]): { resident: number; proportional: number } {
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)));
  const family = new Set(pids);
  // A child may have a lower id than its parent, after the ids have wrapped around.
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const stat of stats) if (family.has(stat.parent)) family.add(stat.pid);
  }
  const sumMib = (file: string, field: RegExp) =>
    [...family].reduce((total, pid) => total + Number(field.exec(readProc(pid, file))?.[1] ?? 0), 0) / 1_024;
  return { resident: sumMib("status", /^VmRSS:\s+(\d+)/m), proportional: sumMib("smaps_rollup", /^Pss:\s+(\d+)/m) };
}

/** Returns the resident memory of one process and of the children below it, in MiB; 0 for a process that is gone. */
export function readFamilyMib(pid: number): { own: number; children: number } {
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)));
  const childrenOf = Map.groupBy(stats, (stat) => stat.parent);
  const below = (parent: number): number[] =>
    (childrenOf.get(parent) ?? []).flatMap((child) => [child.pid, ...below(child.pid)]);
  const children = below(pid).reduce((total, child) => total + residentMib(child), 0);
  return { own: residentMib(pid), children };
}

function residentMib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readProc(pid, "status"))?.[1] ?? 0) / 1_024;
}

/** Returns what one process has used since it started, without its children: turns of its threads after a rest, and CPU time. */
export function readActivity(pid: number): { wakeUps: number; cpuMs: number } {
  const switches = listThreads(pid).map((thread) =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readProc(pid, `task/${thread}/status`))?.[1] ?? 0),
  );
  return { wakeUps: switches.reduce((sum, one) => sum + one, 0), cpuMs: readStat(pid)[0]?.ownMs ?? 0 };
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Lists the processes that these have started. */
export function childrenOf(pids: readonly number[]): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)))
    .flatMap(({ pid, parent }) => (pids.includes(parent) ? [pid] : []));
}

export function parentOf(pid: number): number {
  return readStat(pid)[0]?.parent ?? 0;
}

function readStat(pid: number): ProcessStat[] {
  const text = readProc(pid, "stat");
  if (text === "") return [];
  // The fields after the command's name, which may contain spaces: state, parent, and from the twelfth field on the
  // times.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [1, 11, 12, 13, 14].map((n) => fields[n]);
  return [{ pid, parent, ownMs: (user + system) * TICK_MS, endedChildrenMs: (childUser + childSystem) * TICK_MS }];
}

/** Returns an empty string for a process that is gone. */
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}
