import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "#bench/load/seeded-random";
import { launchEnvironment } from "#bench/stage/launch-product";
import { type ClusterDatabase, openDatabase } from "#bench/stage/open-database";
import { type OutsideServer, startOutside } from "#bench/stage/outside";
import { nodeOf, type Release, THIS_RELEASE } from "#bench/stage/previous-release";
import { type Balancer, startBalancer } from "#bench/stage/start-balancer";
import { type Machine, type MachineRole, startMachine } from "#bench/stage/start-machine";
import { until } from "#bench/stage/until";
import { runProgram } from "#scripts/run-program";

/** Machines behind a balancer that share one database. */
export interface Cluster {
  database: ClusterDatabase;
  balancer: Balancer;
  /** The servers that the steps of actions call, those of slow actions, and those of triggers. */
  outside: { actions: OutsideServer; slow: OutsideServer; events: OutsideServer };
  machines: Machine[];
  folder: string;
  /** The environment of every process. */
  env: NodeJS.ProcessEnv;
  /** Applies a release's migrations, as a deployment does before it replaces processes. */
  migrate(release: Release): Promise<void>;
  /** Starts a machine. Its web server gets requests as soon as it is ready. */
  addMachine(options: { name: string; role: MachineRole; workers?: number; release?: Release }): Promise<Machine>;
  /** Adds two web servers and three workers, each on its own machine, and waits until they are ready. */
  addMachines(release: Release): Promise<void>;
  /** Waits until the balancer sends requests to this many servers. */
  untilReady(servers: number): Promise<void>;
  close(): Promise<void>;
}

/** The first of the cluster's ports. */
const FIRST_PORT = 26_000;
const LATENCY_MS = 40;
/** A run of five steps takes ten seconds. */
const SLOW_LATENCY_MS = 2_000;

export async function openCluster(seed: number): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-cluster-"));
  await chmod(folder, 0o711);
  const random = seededRandom(seed);
  const latencyMs = () => 1 + random() * LATENCY_MS;
  const [actions, slow, events, database, balancer] = await Promise.all([
    startOutside({ latencyMs }),
    startOutside({ latencyMs: () => SLOW_LATENCY_MS }),
    startOutside({ latencyMs }),
    openDatabase(FIRST_PORT + 1),
    startBalancer(FIRST_PORT),
  ]);
  const env = { ...sharedEnvironment(balancer.url), ...database.settings };
  const machines: Machine[] = [];
  let nextPort = FIRST_PORT + 10;
  const addMachine: Cluster["addMachine"] = async ({ name, role, workers = 1, release = THIS_RELEASE }) => {
    nextPort += 1;
    const machine = await startMachine({ name, role, workers, release, port: nextPort, env, folder });
    machines.push(machine);
    if (machine.url !== null) balancer.add(machine.url);
    return machine;
  };
  return {
    database,
    balancer,
    outside: { actions, slow, events },
    machines,
    folder,
    env,
    migrate: async (release) => {
      const args = ["scripts/start.mjs", "start", "--migrate"];
      await runProgram(nodeOf(release.folder), args, {
        cwd: release.folder,
        env: { ...env, DATA_DIR: join(folder, "migrate") },
      });
    },
    addMachine,
    addMachines: async (release) => {
      const add = (role: MachineRole, names: string[]) =>
        Promise.all(names.map((name) => addMachine({ name, role, release })));
      await add("web", ["web-1", "web-2"]);
      await add("worker", ["worker-1", "worker-2", "worker-3"]);
    },
    untilReady: async (servers) => {
      await until(`${servers} ready servers`, () => balancer.ready().length >= servers, { deadlineMs: 120_000 });
    },
    close: async () => {
      await Promise.all(machines.map((machine) => machine.stop()));
      await Promise.all([balancer.close(), actions.close(), slow.close(), events.close(), database.remove()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function sharedEnvironment(publicUrl: string): NodeJS.ProcessEnv {
  return {
    ...launchEnvironment(),
    // The limit of each key is part of the test.
    REQUESTS_PER_WINDOW: "",
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    NEXTAUTH_SECRET: randomBytes(32).toString("hex"),
    PUBLIC_BASE_URL: publicUrl,
    TRUSTED_PROXIES: "127.0.0.1",
    OUTBOUND_ALLOW: "127.0.0.1",
  };
}
