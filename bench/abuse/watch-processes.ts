import { readFamilyMib } from "#bench/measure/process-usage";
import { findInstance } from "#scripts/instance";
import { isAlive } from "#scripts/process-identity";

/** What happened to the product's processes while they were watched. Memory is the highest resident MiB. */
export interface ProcessRecord {
  webMib: number;
  /** Of the worker, or standby, that used most. */
  workerMib: number;
  /** All children of web and workers together: sandboxes and the like. */
  childrenMib: number;
  /** Names of processes that ended. */
  deaths: string[];
}

export interface ProcessWatch {
  stop(): Promise<ProcessRecord>;
}

const EVERY_MS = 200;

/** Watches the processes that the launcher keeps running. Linux only: it reads /proc. */
export function watchProcesses(dataDir: string): ProcessWatch {
  const record: ProcessRecord = { webMib: 0, workerMib: 0, childrenMib: 0, deaths: [] };
  /** Quarantine is left out: such a worker ends when its run has ended. */
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
