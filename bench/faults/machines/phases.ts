import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Load } from "#bench/faults/machines/load";
import type { Cluster } from "#bench/faults/machines/open-cluster";
import { findServersWithoutSession, type Session } from "#bench/faults/machines/session";
import { STARTER_WINDOW, type Tenants } from "#bench/faults/machines/tenants";
import type { Phase } from "#bench/faults/options";
import { noteRow, type Row, zeroRow } from "#bench/faults/result-table";
import { percentile } from "#bench/measure/statistics";
import type { Machine } from "#bench/stage/machine";
import { type Release, THIS_RELEASE } from "#bench/stage/previous-release";
import { CUT, type Passed } from "#bench/stage/start-balancer";

export interface Scene {
  cluster: Cluster;
  tenants: Tenants;
  session: Session;
  load: Load;
  /** The time that each state of the cluster lasts. */
  seconds: number;
  previous: Release | null;
  report(text: string): void;
}

/** A period in which requests may fail with 5xx, by the monotonic clock. */
type Outage = { fromMs: number; toMs: number };

/** The figures that a phase adds to those of every phase. */
interface PhaseResult {
  rows: Row[];
  outages?: Outage[];
}

/** The number of slow runs that are open while machines are replaced. */
const SLOW_RUNS = 200;
/** Longer than the balancer takes to check every server once. */
const CHECK_MS = 1_000;

const SCENES: Record<Phase, (scene: Scene) => Promise<PhaseResult>> = {
  upgrade: rollOver,
  steady: stayCalm,
  kills: killEach,
  failover: failOver,
  restart: restartEach,
};

/** Runs a phase under the load, and counts the answers that clients got during it. */
export async function runPhase(phase: Phase, scene: Scene): Promise<Row[]> {
  const { balancer, machines } = scene.cluster;
  const [fromMs, first] = [performance.now(), balancer.passed.length];
  const runsBefore = scene.load.accepted.size;
  const { rows, outages = [] } = await SCENES[phase](scene);
  const servers = machines.flatMap(({ url }) => url ?? []);
  const strangers = await findServersWithoutSession(scene.session, servers);
  const seconds = (performance.now() - fromMs) / 1_000;
  const passed = balancer.passed.slice(first);
  for (const { status, method, path, atMs, tookMs, server } of passed.filter((one) => one.status >= 500).slice(0, 10)) {
    const when = `at ${(atMs / 1_000).toFixed(1)} s, after ${tookMs.toFixed(0)} ms`;
    scene.report(`${phase}: ${method} ${path} got ${status} from ${server ?? "the balancer"} ${when}`);
  }
  return [
    noteRow(phase, "lasted, and runs accepted", `${seconds.toFixed(0)} s, ${scene.load.accepted.size - runsBefore}`),
    ...trafficRows(phase, passed, outages),
    ...rows,
    zeroRow(phase, `of ${servers.length} web servers, those that did not know the session`, strangers.length),
  ];
}

export function trafficRows(phase: Phase, passed: readonly Passed[], outages: readonly Outage[]): Row[] {
  const answered = passed.filter(({ status, path }) => status > 0 && path !== "/api/stream");
  const times = answered.filter(({ method }) => method === "POST").map(({ tookMs }) => tookMs);
  const failed = answered.filter(({ status }) => status >= 500);
  const isExcused = ({ atMs, tookMs }: Passed) =>
    outages.some(({ fromMs, toMs }) => atMs >= fromMs && atMs - tookMs <= toMs);
  const cut = passed.filter(({ status, path }) => status === CUT && path !== "/api/stream");
  const show = (ms: number) => `${ms.toFixed(0)} ms`;
  const within = failed.filter(isExcused).length;
  return [
    noteRow(phase, "answers", String(answered.length)),
    noteRow(phase, "POST, p50 and p99", `${show(percentile(times, 0.5))}, ${show(percentile(times, 0.99))}`),
    noteRow(
      phase,
      "sent to another server by the balancer",
      String(answered.filter(({ resent }) => resent > 0).length),
    ),
    noteRow(phase, "connections cut, so that the client decides", String(cut.length)),
    noteRow(
      phase,
      "event streams that ended with a server",
      String(passed.filter((one) => isBrokenStream(one)).length),
    ),
    ...(outages.length > 0 ? [noteRow(phase, "5xx while the database was away", String(within))] : []),
    zeroRow(phase, outages.length > 0 ? "5xx at any other time" : "5xx", failed.length - within),
  ];
}

function isBrokenStream({ status, path }: Passed): boolean {
  return path === "/api/stream" && status === CUT;
}

/** Kills nothing. Uses up one key's limit through both web servers. */
async function stayCalm({ cluster, tenants, seconds }: Scene): Promise<PhaseResult> {
  await sleep(seconds * 1_000);
  return { rows: await windowRows(cluster.balancer.url, tenants.limitedKey) };
}

async function windowRows(url: string, key: string): Promise<Row[]> {
  const statuses: number[] = [];
  let left = STARTER_WINDOW * 2;
  const callers = Array.from({ length: 10 }, async () => {
    while (left-- > 0) {
      const answer = await fetch(`${url}/api/v1/runtime/actions`, { headers: { authorization: `Bearer ${key}` } });
      await answer.text();
      statuses.push(answer.status);
    }
  });
  await Promise.all(callers);
  const allowed = statuses.filter((status) => status === 200).length;
  return [zeroRow("steady", `requests above the ${STARTER_WINDOW} of a key's window`, allowed - STARTER_WINDOW)];
}

/** Kills each process in turn, which its launcher starts again. Then kills a whole machine of each kind. */
async function killEach({ cluster, seconds, report }: Scene): Promise<PhaseResult> {
  const { machines } = cluster;
  const webs = machines.filter(({ role }) => role !== "worker").length;
  let kills = 0;
  for (const machine of machines) {
    const kind = machine.role === "worker" ? "worker" : "web";
    report(`kill -9 of the ${kind} process of ${machine.name}`);
    await machine.killProcess(kind);
    kills += 1;
    await cluster.untilReady(webs);
    await sleep((seconds * 1_000) / 4);
  }
  for (const role of ["worker", "web"] as const) {
    const machine = machines.find((one) => one.role === role);
    if (!machine) continue;
    report(`kill -9 of everything on ${machine.name}`);
    await machine.killAll();
    kills += 1;
    await sleep((seconds * 1_000) / 4);
    await machine.start();
    await cluster.untilReady(webs);
  }
  return { rows: [noteRow("kills", "processes and machines killed", String(kills))] };
}

/** Kills the pooler, then the primary, and promotes the standby in its place. */
async function failOver({ cluster, seconds, report }: Scene): Promise<PhaseResult> {
  const { database } = cluster;
  const outage = async (what: string, strike: () => Promise<void>) => {
    report(what);
    const fromMs = performance.now();
    await strike();
    await sleep(CHECK_MS);
    await cluster.untilReady(cluster.machines.filter(({ url }) => url !== null).length);
    const toMs = performance.now();
    await sleep((seconds * 1_000) / 2);
    return { fromMs, toMs };
  };
  const pooler = await outage("kill -9 of pgbouncer", database.killPooler);
  const primary = await outage("the primary is killed, the standby promoted", database.failOver);
  const show = ({ fromMs, toMs }: Outage) => `${((toMs - fromMs) / 1_000).toFixed(1)} s`;
  return {
    outages: [pooler, primary],
    rows: [
      noteRow("failover", "kill of pgbouncer until both web servers are ready", show(pooler)),
      noteRow("failover", "kill of the primary until both web servers are ready", show(primary)),
    ],
  };
}

/** Stops each machine with SIGTERM and starts it again, one after the other. */
async function restartEach({ cluster, seconds, report }: Scene): Promise<PhaseResult> {
  const stops: number[] = [];
  for (const machine of cluster.machines) {
    report(`SIGTERM to ${machine.name}`);
    stops.push(await restart(cluster, machine));
    await sleep((seconds * 1_000) / 4);
  }
  return { rows: [noteRow("restart", "SIGTERM to exit, longest", `${Math.max(...stops).toFixed(1)} s`)] };
}

async function restart(cluster: Cluster, machine: Machine, release?: Release): Promise<number> {
  const servers = cluster.machines.filter(({ url }) => url !== null).length;
  const seconds = await machine.stop();
  await machine.start(release);
  await cluster.untilReady(servers);
  return seconds;
}

/**
 * Starts with the previous release and applies this release's migrations under it. Replaces its machines, rolls them
 * back as after a bad deployment, and replaces them again.
 */
async function rollOver({ cluster, tenants, load, seconds, previous, report }: Scene): Promise<PhaseResult> {
  if (previous === null) return { rows: [] };
  const pause = () => sleep((seconds * 1_000) / 2);
  await pause();
  report("migrating");
  const startedMs = performance.now();
  await cluster.migrate(THIS_RELEASE);
  const migrated = (performance.now() - startedMs) / 1_000;
  await pause();
  const open: string[] = [];
  for (const release of [THIS_RELEASE, previous, THIS_RELEASE]) {
    await load.startSlow(SLOW_RUNS);
    report(`replacing the machines by ${release.name}`);
    const before = await countOpenSlowRuns(cluster, tenants);
    for (const machine of cluster.machines) await restart(cluster, machine, release);
    open.push(`${before} and ${await countOpenSlowRuns(cluster, tenants)}`);
    await pause();
  }
  return {
    rows: [
      noteRow("upgrade", "npm start -- --migrate took", `${migrated.toFixed(1)} s`),
      noteRow("upgrade", "slow runs that were open before and after each replacement", open.join(", ")),
    ],
  };
}

async function countOpenSlowRuns({ database }: Cluster, { slow }: Tenants): Promise<number> {
  const client = new pg.Client({ connectionString: database.url() });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select count(*)::int as open from runs where workspace_id = $1 and status in ('accepted', 'running')",
      [slow.workspace.workspaceId],
    );
    return rows[0].open;
  } finally {
    await client.end();
  }
}
