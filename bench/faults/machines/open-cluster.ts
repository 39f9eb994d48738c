import { openReplicatedDatabase, type ReplicatedDatabase } from "#bench/stage/database";
import { type OutsideServer, startOutside } from "#bench/stage/outside";
import { type Release, THIS_RELEASE } from "#bench/stage/previous-release";
import { openStage, type Stage } from "#bench/stage/stage";
import { type Balancer, startBalancer } from "#bench/stage/start-balancer";
import { until } from "#bench/stage/until";
import { seededRandom } from "#lib/support/seeded-random.fixture";

/** Machines behind a balancer that share one database. */
export interface Cluster extends Stage<ReplicatedDatabase> {
  balancer: Balancer;
  /** The servers that the steps of actions call, those of slow actions, and those of triggers. */
  outside: { actions: OutsideServer; slow: OutsideServer; events: OutsideServer };
  /** Adds two web servers and three workers, each on its own machine, and waits until they are ready. */
  addMachines(release: Release): Promise<void>;
  /** Waits until the balancer sends requests to this many servers. */
  untilReady(servers: number): Promise<void>;
}

/** The first of the cluster's ports. */
const FIRST_PORT = 26_000;
const LATENCY_MS = 40;
/** A run of five steps takes ten seconds. */
const SLOW_LATENCY_MS = 2_000;
const MACHINES = { web: ["web-1", "web-2"], worker: ["worker-1", "worker-2", "worker-3"] };

export async function openCluster(seed: number): Promise<Cluster> {
  const random = seededRandom(seed).next;
  const latencyMs = () => 1 + random() * LATENCY_MS;
  const [actions, slow, events, database, balancer] = await Promise.all([
    startOutside({ latencyMs }),
    startOutside({ latencyMs: () => SLOW_LATENCY_MS }),
    startOutside({ latencyMs }),
    openReplicatedDatabase(FIRST_PORT + 1),
    startBalancer(FIRST_PORT),
  ]);
  // The limit of each key is part of the test.
  const env = { REQUESTS_PER_WINDOW: "", PUBLIC_BASE_URL: balancer.url, TRUSTED_PROXIES: "127.0.0.1" };
  const stage = await openStage({ database, env: { ...env, OUTBOUND_ALLOW: "127.0.0.1" } });
  let port = FIRST_PORT + 10;
  return {
    ...stage,
    balancer,
    outside: { actions, slow, events },
    addMachines: async (release: Release = THIS_RELEASE) => {
      for (const role of ["web", "worker"] as const) {
        const machines = MACHINES[role].map((name) => stage.addMachine({ name, role, release, port: ++port }));
        for (const { url } of await Promise.all(machines)) if (url !== null) balancer.add(url);
      }
    },
    untilReady: async (servers) => {
      await until(`${servers} ready servers`, () => balancer.ready().length >= servers, { deadlineMs: 120_000 });
    },
    close: async () => {
      await Promise.all([stage.close(), balancer.close(), actions.close(), slow.close(), events.close()]);
    },
  };
}
