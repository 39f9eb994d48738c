import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { killHard } from "#bench/chaos/start-host";
import { until } from "#bench/chaos/until";
import { endProduct, untilReady } from "#bench/stage/launch-product";
import { nodeOf, type Release } from "#e2e/cluster/previous-release";
import { findInstance } from "#scripts/instance";
import { readTail } from "#scripts/run-program";

/** What a machine runs: a web server, workers, or both, which is all that older releases know. */
export type MachineRole = "all" | "web" | "worker";

export interface MachineOptions {
  name: string;
  role: MachineRole;
  release: Release;
  /** The port of its web server. */
  port: number;
  workers?: number;
  /** The environment that a release gets. */
  envOf(release: Release): NodeJS.ProcessEnv;
  /** Its data folder is made here. */
  folder: string;
}

/** One machine: a launcher, started as an operator starts it, and the processes below it. */
export interface Machine {
  name: string;
  role: MachineRole;
  /** The address of its web server; null if it has none. */
  url: string | null;
  /** Kills one of its processes with SIGKILL, which its launcher then starts again. */
  killProcess(kind: "web" | "worker"): Promise<void>;
  /** Kills everything at the same moment, as when the machine loses its power. */
  killAll(): Promise<void>;
  /** Sends SIGTERM, and resolves with the seconds until everything has ended. */
  stop(): Promise<number>;
  /**
   * Starts it again after it was killed or stopped, and resolves when it is ready.
   * @param release the one that it ran last if left out
   */
  start(release?: Release): Promise<void>;
}

/** Starts a machine, and resolves when it is ready. */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { name, role, port } = options;
  const dataDir = join(options.folder, name);
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  let { release } = options;
  let launcher = await launch(options, dataDir);
  const pids = async (kind: "web" | "worker") => {
    const processes = (await findInstance(dataDir))?.processes ?? [];
    return processes.filter((one) => one.name.startsWith(kind)).map(({ pid }) => pid);
  };
  return {
    name,
    role,
    url: role === "worker" ? null : `http://127.0.0.1:${port}`,
    killProcess: async (kind) => {
      const live = await until(`a ${kind} process of ${name}`, async () => {
        const found = (await pids(kind)).filter((pid) => killHard(pid, 0));
        return found.length > 0 && found;
      });
      killHard(live[0] ?? 0);
      await until(`another ${kind} process of ${name}`, async () => !(await pids(kind)).includes(live[0] ?? 0));
    },
    killAll: async () => {
      const children = [...(await pids("web")), ...(await pids("worker"))];
      launcher.kill("SIGKILL");
      for (const pid of children) killHard(pid);
      if (launcher.exitCode === null && launcher.signalCode === null) await once(launcher, "exit");
    },
    stop: async () => {
      const startedMs = performance.now();
      await endProduct(launcher);
      return (performance.now() - startedMs) / 1_000;
    },
    start: async (next = release) => {
      release = next;
      launcher = await launch({ ...options, release }, dataDir);
    },
  };
}

async function launch(options: MachineOptions, dataDir: string): Promise<ChildProcess> {
  const { role, release, port, workers = 1, envOf } = options;
  const roles = release.hasRoles && role !== "all" ? [`--${role}`] : [];
  const args = ["scripts/start.mjs", "start", "--json", "--no-seed", "--port", String(port), ...roles];
  const log = await open(`${dataDir}.log`, "a");
  const launcher: ChildProcess = spawn(nodeOf(release.folder), args, {
    cwd: release.folder,
    stdio: ["ignore", "pipe", log.fd],
    env: { ...envOf(release), DATA_DIR: dataDir, WORKERS: String(workers), PORT: String(port) },
  });
  await log.close();
  await untilReady(launcher).catch(async (error: Error) => {
    throw new Error(`${options.name} did not start.\n${await readTail(`${dataDir}.log`)}`, { cause: error });
  });
  return launcher;
}
