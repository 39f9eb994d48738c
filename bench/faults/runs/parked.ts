import { setTimeout as sleep } from "node:timers/promises";
import {
  PARK_DAYS,
  type ParkingWorkload,
  type ParkKind,
  parkingWorkload,
  parkKindOf,
  startParkedRun,
} from "#bench/faults/parked-workload";
import { limitRow, noteRow, type Row, zeroRow } from "#bench/faults/result-table";
import { type CallbackDelivery, deliverTwice } from "#bench/faults/runs/deliver-twice";
import { liveWorkers, type ScenarioOptions, type Scene, untilLive, withScene } from "#bench/faults/scene";
import { countParked, readDueTimes, readWakeUps, shiftDueTimes, untilNextDue } from "#bench/faults/shift-due-times";
import { waitForRuns } from "#bench/faults/workload";
import { readMemoryMib } from "#bench/measure/process-usage";
import { percentile } from "#bench/measure/statistics";
import type { OutsideCall } from "#bench/stage/outside";
import { type Host, killHard } from "#bench/stage/start-host";
import { until } from "#bench/stage/until";
import { db } from "#lib/platform/db/pool";
import { seededRandom } from "#lib/support/seeded-random.fixture";

interface ParkedOptions extends ScenarioOptions {
  /** The number of parked runs. */
  parked: number;
}

const ID = "parked";
const WORKERS = 2;
/** The number of waits that end per second in the last minutes of the seven days. */
const WAKES_PER_SECOND = 40;
const DAY_SECONDS = 86_400;
/** The time from the last shift to the end of the first wait. */
const HEADROOM_SECONDS = 10;
/** The time that workers get to start before their memory is compared. */
const SETTLE_MS = 5_000;
const PATIENCE_MS = 300_000;

/**
 * Parks runs for seven simulated days, in delays and for callbacks, while workers are killed and restarted. No run is
 * lost, no run wakes early, and each run wakes on time. A callback that is delivered twice resumes its run once, and
 * parked runs take no memory. Days pass by shifting the stored times back, while the product's clock is the real one.
 */
export function parked({ seed, parked: count, report }: ParkedOptions): Promise<Row[]> {
  const random = seededRandom(seed).next;
  return withScene({ latencyMs: () => 1 }, async (scene) => {
    const workload = await parkingWorkload(scene.outside.url);
    const host = { current: scene.addHost(WORKERS) };
    await untilLive(WORKERS);
    await sleep(SETTLE_MS);
    const emptyMib = memoryOf(host.current);
    const accepted = await park(scene, workload, count);
    report(`${ID}: ${count} runs are parked`);
    await restart(scene, host);
    const parkedMib = memoryOf(host.current);
    const heldSlots = await countHeld();
    const early: string[] = [];
    for (let day = 1; day < PARK_DAYS; day += 1) {
      await shiftDueTimes(DAY_SECONDS);
      await killOne(random);
      if (day === PARK_DAYS / 2 + 0.5) await restart(scene, host);
      await sleep(2_000);
      early.push(...wokenRuns(scene.outside.calls));
      report(`${ID}: day ${day} is over, ${early.length} runs woke early`);
    }
    await shiftDueTimes((await untilNextDue()) - HEADROOM_SECONDS);
    const due = await readDueTimes();
    const deliveries = await strikeWhileWaking(scene, { accepted, random, report });
    await waitForRuns(PATIENCE_MS);
    return [
      ...(await judgeParked(scene.outside.calls, { accepted, due, deliveries, early, heldSlots })),
      memoryRow(emptyMib, parkedMib, count),
    ];
  });
}

async function park({ outside }: Scene, workload: ParkingWorkload, count: number): Promise<Map<string, ParkKind>> {
  const accepted = new Map<string, ParkKind>();
  const windowSeconds = count / WAKES_PER_SECOND;
  let next = 0;
  const callers = Array.from({ length: 4 }, async () => {
    for (let n = next++; n < count; n = next++) {
      accepted.set(await startParkedRun(workload, { n, count, windowSeconds }), parkKindOf(n));
      // One worker dies while the runs are on their way to their waits.
      if (n === Math.floor(count / 2)) killHard((await untilLive(1))[0] ?? 0);
    }
  });
  await Promise.all(callers);
  await until("all runs to be parked", async () => (await countParked()) === count, { deadlineMs: PATIENCE_MS });
  const told = [...accepted.values()].filter((kind) => kind !== "delay").length;
  if (outside.answered("tell") !== told) throw new Error(`${outside.answered("tell")} of ${told} addresses were sent`);
  return accepted;
}

/** Simulates a power loss of the machine and the start of another machine. */
async function restart({ addHost }: Scene, host: { current: Host }): Promise<void> {
  await host.current.kill();
  host.current = addHost(WORKERS);
  const old = new Set((await liveWorkers()).map(({ pid }) => pid));
  await until("new workers", async () => {
    const live = (await liveWorkers()).filter(({ pid }) => !old.has(pid) && killHard(pid, 0));
    return live.length >= WORKERS;
  });
  await sleep(SETTLE_MS);
}

async function killOne(random: () => number): Promise<void> {
  const live = await untilLive(WORKERS);
  killHard(live[Math.floor(random() * live.length)] ?? 0);
}

/** Returns the memory of the supervisor, its workers, and their children. */
function memoryOf(host: Host): number {
  return readMemoryMib([host.pid]).proportional;
}

async function countHeld(): Promise<number> {
  const { rows } = await db().query<{ held: number }>({
    text: `select (select count(*) from runs where lease_owner is not null)::int
             + (select count(*) from run_queue where ticket is not null)::int as held`,
  });
  return rows[0]?.held ?? 0;
}

function wokenRuns(calls: ReadonlyMap<string, OutsideCall[]>): string[] {
  return [...calls.values()].flatMap(([call]) => (call?.nodeId === "woke" ? [call.runId] : []));
}

/** Delivers each callback twice, spread over the window, and kills a worker halfway. */
async function strikeWhileWaking(
  { outside }: Scene,
  {
    accepted,
    random,
    report,
  }: { accepted: ReadonlyMap<string, ParkKind>; random: () => number; report(text: string): void },
): Promise<CallbackDelivery[]> {
  const addresses = [...outside.calls.values()].flatMap(([call]) =>
    call?.nodeId === "tell" && accepted.get(call.runId) === "callback"
      ? [{ runId: call.runId, address: (JSON.parse(call.body) as { address: string }).address }]
      : [],
  );
  const deliveries: CallbackDelivery[] = [];
  const everyMs = (1_000 * 4) / WAKES_PER_SECOND;
  await sleep(HEADROOM_SECONDS * 1_000);
  const sending: Promise<void>[] = [];
  for (const [index, { runId, address }] of addresses.entries()) {
    sending.push(deliverTwice(runId, address, index).then((delivery) => void deliveries.push(delivery)));
    if (index === Math.floor(addresses.length / 2)) {
      report(`${ID}: a worker is killed while runs wake up`);
      await killOne(random);
    }
    await sleep(everyMs);
  }
  await Promise.all(sending);
  const odd = deliveries.filter((one) => !one.isOnce).slice(0, 5);
  for (const { answers } of odd) report(`${ID}: two equal deliveries were answered with ${answers.join(" and ")}`);
  return deliveries;
}

interface Evidence {
  accepted: ReadonlyMap<string, ParkKind>;
  /** When each run's wait ends, in ms since 1970. */
  due: ReadonlyMap<string, number>;
  deliveries: readonly CallbackDelivery[];
  early: readonly string[];
  heldSlots: number;
}

export async function judgeParked(
  calls: ReadonlyMap<string, OutsideCall[]>,
  { accepted, due, deliveries, early, heldSlots }: Evidence,
): Promise<Row[]> {
  const { succeeded, waitsCompletedTwice } = await readWakeUps();
  const wokeAt = new Map(
    [...calls.values()].flatMap(([call]) => (call?.nodeId === "woke" ? [[call.runId, call.wallMs] as const] : [])),
  );
  const answeredAt = new Map(deliveries.map(({ runId, answeredMs }) => [runId, answeredMs]));
  const late: number[] = [];
  let tooEarly = early.length;
  for (const [runId, kind] of accepted) {
    const from = kind === "callback" ? answeredAt.get(runId) : due.get(runId);
    const woke = wokeAt.get(runId);
    if (from === undefined || woke === undefined) continue;
    // The database stores whole milliseconds.
    if (kind !== "callback" && woke < from - 1) tooEarly += 1;
    late.push(Math.max(0, woke - from) / 1_000);
  }
  return [
    zeroRow(ID, `runs lost, of ${accepted.size}`, [...accepted.keys()].filter((id) => !succeeded.has(id)).length),
    zeroRow(ID, "runs that woke early", tooEarly),
    zeroRow(ID, "waits completed twice", waitsCompletedTwice),
    zeroRow(ID, "callbacks that resumed twice, or were refused", deliveries.filter((one) => !one.isOnce).length),
    zeroRow(ID, "slots held while all runs were parked", heldSlots),
    limitRow(ID, "woke after the end of its wait, p99", percentile(late, 0.99), 2, "s"),
    noteRow(
      ID,
      "median, and longest (a killed worker's runs)",
      `${percentile(late, 0.5).toFixed(2)} s, ${percentile(late, 1).toFixed(2)} s`,
    ),
    noteRow(ID, "callbacks delivered, each twice", String(deliveries.length)),
  ];
}

function memoryRow(emptyMib: number, parkedMib: number, count: number): Row {
  const growth = Math.max(0, (parkedMib / emptyMib - 1) * 100);
  const what = `memory of the workers with ${count} parked runs: ${parkedMib.toFixed(0)} MiB after ${emptyMib.toFixed(0)} MiB`;
  return limitRow(ID, what, growth, 5, "%");
}
