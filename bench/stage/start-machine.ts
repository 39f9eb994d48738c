import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { endProduct, untilReady } from "#bench/stage/launch-product";
import { nodeOf, type Release } from "#bench/stage/previous-release";
import { killHard } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";
import { findInstance } from "#scripts/instance/instance";
import { readTail } from "#scripts/run-program";

/** The processes of a machine: a web server, workers, or both. */
export type MachineRole = "all" | "web" | "worker";

export interface MachineOptions {
  name: string;
  role: MachineRole;
  release: Release;
  /** The port of the machine's web server. */
  port: number;
  workers?: number;
  /** The environment of its processes. */
  env: NodeJS.ProcessEnv;
  /** The folder in which the machine's data folder is created. */
  folder: string;
}

/** One machine: a launcher, started the way an operator starts it, and the launcher's processes. */
export interface Machine {
  name: string;
  role: MachineRole;
  /** The URL of the machine's web server. Null if it has none. */
  url: string | null;
  /** Kills one of the machine's processes with SIGKILL. The launcher then starts it again. */
  killProcess(kind: "web" | "worker"): Promise<void>;
  /** Kills all processes at the same moment, like a power loss of the machine. */
  killAll(): Promise<void>;
  /** Sends SIGTERM. Resolves with the seconds until everything has ended. */
  stop(): Promise<number>;
  /**
   * Starts the machine again after it was killed or stopped. Resolves when it is ready.
   * @param release by default, the release that it ran last
   */
  start(release?: Release): Promise<void>;
}

/** Starts a machine. Resolves when it is ready. */
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
  const { role, release, port, workers = 1, env } = options;
  const roles = role !== "all" ? [`--${role}`] : [];
  const args = ["scripts/start.mjs", "start", "--json", "--no-seed", "--port", String(port), ...roles];
  const log = await open(`${dataDir}.log`, "a");
  const launcher: ChildProcess = spawn(nodeOf(release.folder), args, {
    cwd: release.folder,
    stdio: ["ignore", "pipe", log.fd],
    env: { ...env, DATA_DIR: dataDir, WORKERS: String(workers), PORT: String(port) },
  });
  await log.close();
  await untilReady(launcher).catch(async (error: Error) => {
    throw new Error(`${options.name} did not start.\n${await readTail(`${dataDir}.log`)}`, { cause: error });
  });
  return launcher;
}
