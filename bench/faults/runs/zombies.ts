import { setTimeout as sleep } from "node:timers/promises";
import { type Row, zeroRow } from "#bench/faults/result-table";
import { judgeRuns, type ScenarioOptions, untilLive, withScene } from "#bench/faults/scene";
import { isDeclaredDead } from "#bench/faults/wake-zombie";
import { acceptRun, oneStep, type Workload, waitForRuns } from "#bench/faults/workload";
import { answerOf, type OutsideCall } from "#bench/stage/outside";
import { killHard } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";
import { db } from "#lib/platform/db/pool";
import { isAlive } from "#scripts/instance/process-identity";

interface ZombieOptions extends ScenarioOptions {
  zombies: number;
}

/** The number of workers that are stopped at the same time. */
const BATCH = 5;
const SLOTS = 2;
/** An answer that only a zombie gets. If the journal contains it, the zombie wrote it. */
const ZOMBIE_ANSWER = { token: "zombie", email: "zombie@example.org" };

interface HeldCall {
  call: OutsideCall;
  answer(body: object): void;
}

interface Round {
  workload: Workload;
  accepted: Map<string, number>;
  /** Calls that the outside server has not answered, in the order they arrived. */
  held: HeldCall[];
  /** True if the others end the runs before the zombies wake. False if they still execute them. */
  isOverBefore: boolean;
}

/**
 * R4: stops workers in the middle of a call until others take their runs, then answers the calls when the workers wake.
 * Every second batch wakes while the runs execute elsewhere. The other batches wake when the runs have ended.
 */
export async function zombies(options: ZombieOptions): Promise<Row[]> {
  const held: HeldCall[] = [];
  const onCall = (call: OutsideCall, answer: HeldCall["answer"]) => held.push({ call, answer }) > 0;
  return withScene({ latencyMs: () => 0, onCall }, async (scene) => {
    const workload = await oneStep(scene.outside.url);
    const accepted = new Map<string, number>();
    const env = { WORKER_CONCURRENCY: String(SLOTS) };
    scene.addHost(1, { env });
    let woken = 0;
    let ended = 0;
    while (woken < options.zombies) {
      const count = Math.min(BATCH, options.zombies - woken);
      const host = scene.addHost(count, { env });
      // The standby process executes nothing, so it neither becomes a zombie nor is declared dead.
      const live = new Set(await untilLive(count + 1));
      const isOverBefore = (woken / BATCH) % 2 === 1;
      ended += await wakeBatch(
        { workload, accepted, held, isOverBefore },
        host.workerPids().filter((pid) => live.has(pid)),
      );
      woken += count;
      options.report(`R4: ${ended} of ${woken} zombies ended themselves`);
      await host.kill();
    }
    await waitForRuns(60_000);
    return [
      zeroRow("R4", `writes accepted from ${woken} zombies`, await countZombieWrites()),
      zeroRow("R4", "zombies that did not end themselves", woken - ended),
      ...(await judgeRuns(scene, { id: "R4", workload, report: options.report }, accepted)),
    ];
  });
}

/** @returns the number of processes that ended themselves */
async function wakeBatch(round: Round, pids: readonly number[]): Promise<number> {
  const { workload, accepted, held, isOverBefore } = round;
  const slots = (pids.length + 1) * SLOTS;
  while (held.length < slots) {
    const n = accepted.size;
    accepted.set(await acceptRun(workload, n), n);
    await sleep(20);
  }
  for (const pid of pids) killHard(pid, "SIGSTOP");
  const theirs = await runsOf(pids);
  // All further calls for these runs come from the survivor.
  const zombieCalls = held.filter(({ call }) => theirs.has(call.runId));
  held.splice(0, held.length, ...held.filter((other) => !zombieCalls.includes(other)));
  await until("the zombies to be declared dead", async () =>
    (await Promise.all(pids.map(isDeclaredDead))).every(Boolean),
  );
  if (isOverBefore) await answerUntilOver(held);
  else await until("the survivor to take their runs", () => isTakenUp(held, theirs));
  for (const { answer } of zombieCalls) answer(ZOMBIE_ANSWER);
  for (const pid of pids) killHard(pid, "SIGCONT");
  const isGone = (pid: number) => until("it to end", () => !isAlive(pid), { deadlineMs: 15_000 }).catch(() => false);
  const gone = await Promise.all(pids.map(isGone));
  await answerUntilOver(held);
  return gone.filter(Boolean).length;
}

async function runsOf(pids: readonly number[]): Promise<Set<string>> {
  const { rows } = await db().query<{ id: string }>({
    text: `select r.id from runs r join worker_heartbeats h on h.pool_id = r.lease_owner
           where h.pid = any($1) and r.status = 'running'`,
    values: [pids],
  });
  return new Set(rows.map((row) => row.id));
}

/** Answers the survivor's own calls, so that its slots are free, until the survivor calls for a zombie's run. */
function isTakenUp(held: HeldCall[], theirs: ReadonlySet<string>): boolean {
  if (held.some(({ call }) => theirs.has(call.runId))) return true;
  for (const { call, answer } of held.splice(0)) answer(answerOf(call.runId, call.nodeId));
  return false;
}

async function answerUntilOver(held: HeldCall[]): Promise<void> {
  const answering = setInterval(() => {
    for (const { call, answer } of held.splice(0)) answer(answerOf(call.runId, call.nodeId));
  }, 5);
  await waitForRuns(60_000);
  clearInterval(answering);
}

export async function countZombieWrites(): Promise<number> {
  const { rows } = await db().query<{ count: number }>({
    text: `select ((select count(*) from runs r cross join lateral journal_events(r.id) where output_data::text like '%zombie%')
             + (select count(*) from runs where output::text like '%zombie%'))::int as count`,
  });
  return rows[0]?.count ?? 0;
}
