import { setTimeout as sleep } from "node:timers/promises";
import { countRepeats } from "#bench/faults/count-violations";
import { limitRow, noteRow, type Row, zeroRow } from "#bench/faults/result-table";
import { killCaller } from "#bench/faults/runs/kill-caller";
import { judgeRuns, liveWorkers, type ScenarioOptions, type Scene, withScene } from "#bench/faults/scene";
import { wakeZombie } from "#bench/faults/wake-zombie";
import { acceptRuns, fiveSteps, type Workload, waitForRuns } from "#bench/faults/workload";
import { type BlackHole, startBlackHole } from "#bench/stage/black-hole";
import type { OutsideCall } from "#bench/stage/outside";
import { killHard } from "#bench/stage/start-host";
import { db } from "#lib/platform/db/pool";
import { seededRandom } from "#lib/support/seeded-random.fixture";

interface MayhemOptions extends ScenarioOptions {
  id: string;
  runs: number;
  /** The number of times that a worker gets a kill -9. */
  kills: number;
  /** The number of PostgreSQL crashes: alternately an immediate stop and a SIGKILL of the postmaster. */
  crashes: number;
  /** The number of workers that are stopped until others take their runs, and then continue. */
  zombies: number;
  /** The number of times that one worker's connection to PostgreSQL goes silent. */
  cuts: number;
  /** The number of runs that kill every worker that executes them. */
  poison: number;
  /** The longest time that the outside server takes to answer. */
  latencyMs: number;
}

type Blow = "kill" | "immediate" | "sigkill" | "zombie" | "cut";

interface Fight {
  scene: Scene;
  options: MayhemOptions;
  random: () => number;
  workload: Workload;
  blackHole: BlackHole;
  /** Stopped workers. They are not killed, because they have to end by themselves. */
  zombies: Set<number>;
  survivors: number;
}

export interface MayhemResult {
  rows: Row[];
  /** From the creation of the first run to the end of the last run that succeeded, in seconds. */
  seconds: number;
}

const CUT_MS = 8_000;
const BACKLOG = 300;
/** Longer than any recovery of the product needs: the reconciler's 30 s and its jitter. */
const PATIENCE_MS = 120_000;

/** Combines all failures. The promises must hold for any kills, in any order. */
export async function mayhem(options: MayhemOptions): Promise<MayhemResult> {
  const random = seededRandom(options.seed).next;
  const poison = new Set(
    Array.from({ length: options.poison }, (_, index) => Math.floor(((index + 0.5) * options.runs) / options.poison)),
  );
  const outsideOptions = {
    latencyMs: () => 1 + random() * options.latencyMs,
    onCall: (call: OutsideCall) => {
      if (call.nodeId !== "s1" || !poison.has((JSON.parse(call.body) as { n: number }).n)) return false;
      void killCaller(call);
      return true;
    },
  };
  return withScene(outsideOptions, async (scene) => {
    const blackHole = await startBlackHole(scene.stage.database.port);
    addHosts(scene, options.cuts > 0 ? blackHole : null);
    try {
      const workload = await fiveSteps(scene.outside.url);
      const fight: Fight = { scene, options, random, workload, blackHole, zombies: new Set(), survivors: 0 };
      const accepted = new Map<string, number>();
      const stream = { count: options.runs, backlogMax: BACKLOG, ended: () => scene.outside.answered("s5") };
      const accepting = acceptRuns(workload, stream, (id, n) => accepted.set(id, n));
      await Promise.all([accepting, strike(fight)]);
      await waitForRuns(PATIENCE_MS);
      const poisonIds = new Set([...accepted].filter(([, n]) => poison.has(n)).map(([id]) => id));
      return await judge(fight, accepted, poisonIds);
    } finally {
      blackHole.end();
    }
  });
}

/** Adds three workers under one supervisor. If the network is cut, one of the workers is on a separate machine. */
function addHosts(scene: Scene, blackHole: BlackHole | null): void {
  scene.addHost(blackHole ? 2 : 3);
  if (!blackHole) return;
  const url = new URL(scene.stage.env.DATABASE_URL ?? "");
  url.port = String(blackHole.port);
  scene.addHost(1, { env: { DATABASE_URL: url.href } });
}

/** Strikes in an order that the seed determines. Each blow comes at a certain share of the work. */
async function strike(fight: Fight): Promise<void> {
  const { options, random } = fight;
  const { outside } = fight.scene;
  const crashes = Array.from({ length: options.crashes }, (_, index): Blow => (index % 2 ? "sigkill" : "immediate"));
  const counts: [Blow, number][] = [
    ["kill", options.kills],
    ["zombie", options.zombies],
    ["cut", options.cuts],
  ];
  const blows = [...crashes, ...counts.flatMap(([blow, count]) => Array<Blow>(count).fill(blow))]
    .map((blow) => ({ blow, at: random() }))
    .sort((left, right) => left.at - right.at);
  const calls = options.runs * fight.workload.httpNodes.length;
  // Only one lasting blow at a time, because one worker must be able to judge the others.
  let lasting: Promise<void> = Promise.resolve();
  for (const [index, { blow }] of blows.entries()) {
    const due = ((index + 0.5) / blows.length) * 0.9 * calls;
    while (outside.calls.size < due) await sleep(10);
    options.report(`${options.id}: ${blow} (${index + 1} of ${blows.length})`);
    if (blow === "zombie" || blow === "cut") {
      lasting = lasting.then(() => deal(fight, blow));
      // The promise is awaited at the end, which reports a failure.
      lasting.catch(() => {});
    } else await deal(fight, blow);
  }
  await lasting;
}

async function deal(fight: Fight, blow: Blow): Promise<void> {
  const { scene, random, blackHole } = fight;
  if (blow === "immediate" || blow === "sigkill") return scene.stage.database.crash(blow, 200 + random() * 1_500);
  if (blow === "cut") {
    blackHole.open();
    await sleep(CUT_MS);
    return blackHole.close();
  }
  const pid = await pickWorker(fight);
  if (blow === "kill") {
    killHard(pid);
    return;
  }
  fight.zombies.add(pid);
  if (!(await wakeZombie(pid))) fight.survivors += 1;
  fight.zombies.delete(pid);
}

/** Returns a live worker. Waits until there is one. */
async function pickWorker({ random, zombies }: Fight): Promise<number> {
  for (;;) {
    const live = await liveWorkers().catch(() => []);
    const pids = live.map((worker) => worker.pid).filter((pid) => !zombies.has(pid) && killHard(pid, 0));
    const pid = pids[Math.floor(random() * pids.length)];
    if (pid !== undefined) return pid;
    await sleep(100);
  }
}

async function judge(
  { options, workload, scene, survivors }: Fight,
  accepted: ReadonlyMap<string, number>,
  poison: ReadonlySet<string>,
): Promise<MayhemResult> {
  const { id, report } = options;
  const rows = await judgeRuns(scene, { id, workload, report }, accepted, poison);
  const { startedAgain, calledAgain, steps } = await countRepeats(workload, scene.outside.calls);
  const seconds = await readSeconds(workload);
  return {
    seconds,
    rows: [
      ...rows,
      ...(options.zombies > 0 ? [zeroRow(id, "zombies that did not end themselves", survivors)] : []),
      limitRow(id, `steps started twice (${startedAgain} of ${steps})`, (100 * startedAgain) / steps, 1.5, "%"),
      noteRow(id, "calls repeated, with the same idempotency key", String(calledAgain)),
      noteRow(id, `${accepted.size} runs`, `${seconds.toFixed(0)} s`),
    ],
  };
}

async function readSeconds({ workspace }: Workload): Promise<number> {
  const { rows } = await db().query<{ seconds: number }>({
    text: `select extract(epoch from max(completed_at) filter (where status = 'succeeded') - min(created_at))::float8
             as seconds from runs where workspace_id = $1`,
    values: [workspace.workspaceId],
  });
  return rows[0]?.seconds ?? Number.NaN;
}
