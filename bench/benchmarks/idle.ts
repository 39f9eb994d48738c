import { setTimeout as sleep } from "node:timers/promises";
import { type Benchmark, withProduct } from "#bench/benchmark";
import { compareToNumber, type Figure } from "#bench/figures";
import { callOnce } from "#bench/load/call-once";
import { drain } from "#bench/load/drain";
import { WITH_CODE } from "#bench/load/workflows";
import { readDatabaseUsage } from "#bench/measure/database-usage";
import { childrenOf, parentOf, readActivity, readCpuMs, readMemoryMib } from "#bench/measure/process-usage";
import type { Product } from "#bench/stage/product";
import { until } from "#bench/stage/until";

/** A minute contains every chore that is repeated each minute. */
const SECONDS_MIN = 60;
/** Started processes, their modules, and the first chores have settled. */
const SETTLE_MS = 10_000;
/** The children of the sandbox leave after a minute without work. */
const CHILDREN_SECONDS = 75;
const LEAVE_MAX_MS = 90_000;
const CODE = "code";

export const idle: Benchmark = {
  summary: "P29: wake-ups, CPU time, and memory of an instance without work",
  run: ({ seconds }) =>
    withProduct({}, async (product) => {
      await product.publish(CODE, WITH_CODE);
      await callOnce(product, CODE);
      await drain(product.db);
      const quietMs = performance.now();
      const processes = await listProcesses(product);
      const workers = processes.flatMap(({ name, pid }) => (name.startsWith("worker") ? [pid] : []));
      const leave = () => childrenOf(workers).length === 0;
      await until("the children of the sandbox to leave", leave, { deadlineMs: LEAVE_MAX_MS }).catch(() => {});
      const leftSeconds = (performance.now() - quietMs) / 1_000;
      await sleep(SETTLE_MS);
      const { postgres } = await product.pids();
      const measured = await measure(product, processes, postgres, Math.max(seconds, SECONDS_MIN));
      return [
        ...judgeIdleness(measured),
        compareToNumber("P29 s until the children of the sandbox left", leftSeconds, { atMost: CHILDREN_SECONDS }),
      ];
    }),
};

interface NamedProcess {
  name: string;
  pid: number;
}

/** What an instance used in a time without work. */
export interface Idleness {
  seconds: number;
  processes: { name: string; wakeUps: number; cpuMs: number }[];
  /** All processes of the instance, without PostgreSQL. Shared memory counts once. */
  memoryMib: number;
  postgres: { cpuMs: number; commits: number };
}

/** Compares with the targets: each process rests, and together they use almost nothing. */
export function judgeIdleness({ seconds, processes, memoryMib, postgres }: Idleness): Figure[] {
  const percent = (cpuMs: number) => cpuMs / (seconds * 10);
  const total = processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  return [
    ...processes.map(({ name, wakeUps }) =>
      compareToNumber(`P29 wake-ups/s: ${name}`, wakeUps / seconds, { atMost: 2 }),
    ),
    compareToNumber("P29 percent of a core, all processes", percent(total), { atMost: 1 }),
    ...processes.map(({ name, cpuMs }) => ({ figure: `  of which ${name}`, measured: percent(cpuMs) })),
    compareToNumber("P29 MiB, all processes, shared memory once", memoryMib, { atMost: 250 }),
    { figure: "percent of a core, PostgreSQL", measured: percent(postgres.cpuMs) },
    { figure: "transactions/s", measured: postgres.commits / seconds },
  ];
}

/** Lists the launcher, the web server, the worker, and the process that stands by for it. */
async function listProcesses({ pids }: Product): Promise<NamedProcess[]> {
  const { web, workers } = await pids();
  const launcher = parentOf(web[0] ?? 0);
  return [
    { name: "launcher", pid: launcher },
    ...web.map((pid) => ({ name: "web", pid })),
    ...workers.map((pid, index) => ({ name: index === 0 ? "worker" : "worker that stands by", pid })),
  ];
}

async function measure(
  { db }: Product,
  processes: readonly NamedProcess[],
  postgres: readonly number[],
  seconds: number,
): Promise<Idleness> {
  const read = () => processes.map(({ pid }) => readActivity(pid));
  const commitsBefore = (await readDatabaseUsage(db)).commits;
  const [before, postgresBefore] = [read(), readCpuMs(postgres)];
  await sleep(seconds * 1_000);
  const [after, postgresAfter] = [read(), readCpuMs(postgres)];
  return {
    seconds,
    processes: processes.map(({ name }, index) => ({
      name,
      wakeUps: (after[index]?.wakeUps ?? 0) - (before[index]?.wakeUps ?? 0),
      cpuMs: (after[index]?.cpuMs ?? 0) - (before[index]?.cpuMs ?? 0),
    })),
    memoryMib: readMemoryMib(processes.map(({ pid }) => pid)).proportional,
    postgres: {
      cpuMs: postgresAfter - postgresBefore,
      commits: (await readDatabaseUsage(db)).commits - commitsBefore,
    },
  };
}
