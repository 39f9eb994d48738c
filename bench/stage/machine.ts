import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { nodeOf, type Release, THIS_RELEASE } from "#bench/stage/previous-release";
import { killHard } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";
import { findInstance, type Instance } from "#scripts/instance/instance";
import { readTail } from "#scripts/run-program";

type ProcessKind = "web" | "worker";

export interface MachineOptions {
  /** The name of its data folder. */
  name: string;
  /** The folder in which the data folder is created. */
  folder: string;
  /** The environment of its processes. */
  env: NodeJS.ProcessEnv;
  /** The processes of the machine: a web server, workers, or both. */
  role?: "all" | ProcessKind;
  workers?: number;
  /** The port of its web server. By default, any free port. */
  port?: number;
  release?: Release;
}

/** One machine: a launcher, started the way an operator starts it, and the launcher's processes. */
export interface Machine {
  name: string;
  role: "all" | ProcessKind;
  dataDir: string;
  /** The URL of the machine's web server. Null if it has none. */
  url: string | null;
  /** The URL of the machine's own PostgreSQL, or of the one that it was given. */
  databaseUrl: string;
  /** Lists the processes of a kind, without the launcher that supervises them. */
  pids(kind: ProcessKind): Promise<number[]>;
  /** Kills one of the machine's processes with SIGKILL. The launcher then starts it again. */
  killProcess(kind: ProcessKind): Promise<void>;
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
  const { name, role = "all" } = options;
  const dataDir = join(options.folder, name);
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  let { release, port } = options;
  let launcher = await launch(options, dataDir);
  const record = async (): Promise<Partial<Instance>> => (await findInstance(dataDir).catch(() => null)) ?? {};
  const pids = async (kind: ProcessKind) => {
    const { processes = [] } = await record();
    return processes.filter((one) => one.name.startsWith(kind)).map(({ pid }) => pid);
  };
  const { url, databaseUrl } = await record();
  port ??= Number(new URL(url ?? "http://localhost:0").port);
  return {
    name,
    role,
    dataDir,
    pids,
    // The address that the server listens on: `localhost` may cost a lookup and an attempt on ::1.
    url: role === "worker" ? null : `http://127.0.0.1:${port}`,
    databaseUrl: databaseUrl ?? "",
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
      await end(launcher, "SIGKILL", children);
    },
    stop: async () => {
      const startedMs = performance.now();
      await end(launcher, "SIGTERM");
      return (performance.now() - startedMs) / 1_000;
    },
    start: async (next = release) => {
      release = next;
      launcher = await launch({ ...options, release, port }, dataDir);
    },
  };
}

async function launch(options: MachineOptions, dataDir: string): Promise<ChildProcess> {
  const { role = "all", release = THIS_RELEASE, port = 0, workers = 1, env } = options;
  const roles = role !== "all" ? [`--${role}`] : [];
  const args = ["scripts/start.mjs", "start", "--json", "--no-seed", "--port", String(port), ...roles];
  const log = await open(`${dataDir}.log`, "a");
  const launcher: ChildProcess = spawn(nodeOf(release.folder), args, {
    cwd: release.folder,
    stdio: ["ignore", "pipe", log.fd],
    env: { ...env, DATA_DIR: dataDir, WORKERS: String(workers), PORT: port > 0 ? String(port) : "" },
  });
  await log.close();
  try {
    await untilReady(launcher);
    return launcher;
  } catch (error) {
    throw new Error(`${options.name} did not start.\n${await readTail(`${dataDir}.log`)}`, { cause: error });
  }
}

/** Resolves when the instance reports that it is ready. */
async function untilReady(launcher: ChildProcess): Promise<void> {
  if (!launcher.stdout) throw new Error("the launcher has no output");
  const lines = createInterface({ input: launcher.stdout });
  const ended = once(launcher, "exit").then(([code]) => Promise.reject(new Error(`the product ended with ${code}`)));
  await Promise.race([once(lines, "line"), ended]);
}

async function end(launcher: ChildProcess, signal: "SIGTERM" | "SIGKILL", children: number[] = []): Promise<void> {
  const isOver = launcher.exitCode !== null || launcher.signalCode !== null;
  if (!isOver) launcher.kill(signal);
  for (const pid of children) killHard(pid);
  if (!isOver) await once(launcher, "exit");
}
