import { readFamilyMib } from "#bench/measure/process-usage";
import { findInstance } from "#scripts/instance/instance";
import { isAlive } from "#scripts/instance/process-identity";

/** Memory and deaths of the product's processes during the watch. Memory is the highest resident size in MiB. */
export interface ProcessRecord {
  webMib: number;
  /** The memory of the worker or standby that used the most. */
  workerMib: number;
  /** The memory of all children of web and workers together, such as sandboxes. */
  childrenMib: number;
  /** Names of the processes that ended. */
  deaths: string[];
}

export interface ProcessWatch {
  stop(): Promise<ProcessRecord>;
}

const EVERY_MS = 200;

/** Watches the processes that the launcher keeps running. Linux only: it reads /proc. */
export function watchProcesses(dataDir: string): ProcessWatch {
  const record: ProcessRecord = { webMib: 0, workerMib: 0, childrenMib: 0, deaths: [] };
  /** The names of the watched processes. Quarantine workers are left out, because they end when their run has ended. */
  const names = new Map<number, string>();
  let last = Promise.resolve();
  const look = async () => {
    const processes = (await findInstance(dataDir).catch(() => null))?.processes ?? [];
    for (const { name, pid } of processes) if (!name.includes("quarantine") && isAlive(pid)) names.set(pid, name);
    for (const [pid, name] of names) {
      if (isAlive(pid)) continue;
      record.deaths.push(name);
      names.delete(pid);
    }
    const families = [...names].map(([pid, name]) => ({ isWorker: name.startsWith("worker"), ...readFamilyMib(pid) }));
    const most = (ofWorkers: boolean) =>
      Math.max(0, ...families.filter(({ isWorker }) => isWorker === ofWorkers).map(({ own }) => own));
    record.webMib = Math.max(record.webMib, most(false));
    record.workerMib = Math.max(record.workerMib, most(true));
    const children = families.reduce((sum, family) => sum + family.children, 0);
    record.childrenMib = Math.max(record.childrenMib, children);
  };
  const timer = setInterval(() => {
    last = last.then(look);
  }, EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await last.then(look);
      return record;
    },
  };
}
