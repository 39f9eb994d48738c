import pg from "pg";
import { countRepeats, countViolations } from "#bench/faults/count-violations";
import type { Tenants } from "#bench/faults/machines/tenants";
import { decideAll, type Extras } from "#bench/faults/restore/add-extras";
import { startRun } from "#bench/faults/restore/client";
import type { Site } from "#bench/faults/restore/open-source";
import { type Calls, joinCalls, type RestorePoint } from "#bench/faults/restore/restore-point";
import type { Fires } from "#bench/faults/restore/schedule-fires";
import { noteRow, type Row, violationRows, zeroRow } from "#bench/faults/result-table";
import { type SentDelivery, sendDelivery } from "#bench/faults/webhook-sender";
import { webhookRows } from "#bench/faults/webhook-violations";
import { waitForRuns } from "#bench/faults/workload";
import { until } from "#bench/stage/until";

export interface RestoredCase {
  site: Site;
  tenants: Tenants;
  extras: Extras;
  point: RestorePoint;
  /** Everything that was acknowledged before the loss. */
  last: RestorePoint;
  /** The times at which the schedule fired on the lost instance. */
  fires: Fires;
  /** The calls that the outside servers got from the lost instance and from the restored one. */
  calls: { lost: Calls; restored: Calls };
  /** When the restored instance started. */
  startedAt: Date;
  report(text: string): void;
}

const PATIENCE_MS = 120_000;
/** The number of calls and deliveries that are repeated after the restore. */
const SAMPLE = 20;

/**
 * Uses the restored instance the way its callers do, waits until every run has ended, and counts events that must never
 * happen.
 */
export async function judgeRestored(given: RestoredCase): Promise<Row[]> {
  const db = new pg.Pool({ connectionString: given.site.databaseUrl, max: 2 });
  try {
    const approvals = await approvalRows(given, db);
    const { rows: webhooks, sent } = await repeatDeliveries(given);
    const callers = await callerRows(given);
    const open = await waitForRuns(PATIENCE_MS, db);
    const { tenants, extras, point } = given;
    const { name } = point;
    return [
      ...(await newestRows(given, db)),
      zeroRow(name, "runs that have not ended", open),
      ...(await stepRows(given)),
      ...approvals,
      ...(await decidedRows({ workspaceId: tenants.asking.workspaceId, waiting: extras.waiting, point }, db)),
      ...webhooks,
      ...(await webhookRows(name, sent, await callsOfKnownRuns(given, db), db)),
      ...callers,
      ...(await tokenRows(given)),
      ...(await fireRows({ ...given, workspaceId: given.tenants.events.workspaceId }, db)),
    ];
  } finally {
    await db.end();
  }
}

async function listIds(db: pg.Pool, where: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(`select id from runs where ${where}`, values);
  return rows.map(({ id }) => id);
}

/** Returns the rows for what the restore lost, and for whether it stopped at the restore point. */
export async function newestRows(
  { point, last, startedAt }: Pick<RestoredCase, "point" | "last" | "startedAt">,
  db: pg.Pool,
): Promise<Row[]> {
  const known = new Set(await listIds(db, "true"));
  const after = [...last.accepted.keys()].filter((id) => !point.accepted.has(id));
  const newer = await listIds(db, "created_at > $1 and created_at < $2", [point.at, startedAt]);
  return [
    noteRow(point.name, "runs acknowledged before the restore point", String(point.accepted.size)),
    noteRow(
      point.name,
      "runs acknowledged after it, and of them lost",
      `${after.length}, ${after.filter((id) => !known.has(id)).length}`,
    ),
    ...(point.name === "moment" ? [zeroRow(point.name, "runs from after the restore point", newer.length)] : []),
  ];
}

async function stepRows({ point, tenants, calls, report }: RestoredCase): Promise<Row[]> {
  const all = joinCalls(calls.lost.actions, calls.restored.actions);
  const { examples, ...violations } = await countViolations(tenants.steps, point.accepted, {
    calls: all,
    poison: new Set(),
  });
  for (const example of examples) report(example);
  const { steps } = await countRepeats(tenants.steps, all);
  const again = [...calls.restored.actions.keys()].filter((key) => calls.lost.actions.has(key)).length;
  return [
    noteRow(point.name, "steps that call outside, and of them called again under the same key", `${steps}, ${again}`),
    ...violationRows(point.name, violations),
  ];
}

/** Decides every waiting run. This includes runs that the lost instance decided after the restore point. */
async function approvalRows({ site, tenants, extras, point, report }: RestoredCase, db: pg.Pool): Promise<Row[]> {
  const { asking } = tenants;
  const open = await listIds(db, "workspace_id = $1 and status = 'waiting_for_approval'", [asking.workspaceId]);
  const { refused } = await decideAll(site.url, asking, { waiting: extras.waiting, open });
  for (const one of refused) report(one);
  return [
    noteRow(point.name, "approvals decided after the restore", String(open.length)),
    zeroRow(point.name, "runs that no longer wait", extras.waiting.filter((id) => !open.includes(id)).length),
    zeroRow(point.name, "decisions that were refused", refused.length),
  ];
}

export async function decidedRows(
  { workspaceId, waiting, point }: { workspaceId: string; waiting: readonly string[]; point: RestorePoint },
  db: pg.Pool,
): Promise<Row[]> {
  const { rows } = await db.query<{ id: string; status: string }>(
    "select id, status from runs where workspace_id = $1",
    [workspaceId],
  );
  const known = new Set(rows.map(({ id }) => id));
  const rejected = new Set(waiting.slice(waiting.length / 2));
  const wrong = rows.filter(({ id, status }) => status !== (rejected.has(id) ? "cancelled" : "succeeded"));
  return [
    zeroRow(point.name, "approved runs lost", [...point.approved.keys()].filter((id) => !known.has(id)).length),
    zeroRow(point.name, "decided runs with another end", wrong.length),
  ];
}

/** Sends acknowledged deliveries again: the last ones before the restore point, and all after it. */
async function repeatDeliveries({ site, tenants, point, last }: RestoredCase) {
  const address = `${site.url}${tenants.events.webhookPath}`;
  const isGenuine = ({ forgery }: SentDelivery) => forgery === null;
  const before = point.deliveries.filter(isGenuine).slice(-SAMPLE);
  const seen = new Set(point.deliveries.filter(isGenuine).map(({ id }) => id));
  const after = last.deliveries.filter((one) => isGenuine(one) && !seen.has(one.id));
  const again: SentDelivery[] = [];
  for (const delivery of before) again.push(await sendDelivery(address, delivery));
  const later: SentDelivery[] = [];
  for (const delivery of after) later.push(await sendDelivery(address, delivery));
  const started = again.filter((one, index) => !one.isDuplicate || one.runId !== before[index]?.runId);
  return {
    sent: [...point.deliveries, ...later],
    rows: [
      noteRow(
        point.name,
        "deliveries sent again, from before and after the restore point",
        `${before.length}, ${after.length}`,
      ),
      zeroRow(point.name, "deliveries from before it that were not recognized", started.length),
    ],
  };
}

/** Returns the calls of runs that this database knows. An effect of a lost run does not count against it. */
async function callsOfKnownRuns({ calls }: RestoredCase, db: pg.Pool) {
  const known = new Set(await listIds(db, "true"));
  const ofKnown = [...calls.lost.events].filter(([key]) => known.has(key.split(":")[0] ?? ""));
  return joinCalls(ofKnown, calls.restored.events);
}

/** Repeats calls with keys from before the restore point, and makes calls with new keys. */
async function callerRows({ site, tenants, point }: RestoredCase): Promise<Row[]> {
  const { slug } = tenants.steps;
  const key = tenants.stepsKeys.rest;
  let strangers = 0;
  for (const [runId, n] of [...point.accepted].slice(-SAMPLE)) {
    const { body } = await startRun(site.url, { slug, key, n, idempotencyKey: `call-${n}` });
    if (body.run_id !== runId) strangers += 1;
  }
  let refused = 0;
  for (let n = 0; n < SAMPLE; n += 1) {
    // Negative numbers, which the load does not use.
    const { status } = await startRun(site.url, { slug, key, n: -1 - n, idempotencyKey: `restored-${n}` });
    if (status !== 202) refused += 1;
  }
  return [
    zeroRow(point.name, "calls with a key from before it that got another run", strangers),
    zeroRow(point.name, "new calls refused", refused),
  ];
}

/** Checks that a step sends the credentials of its connection. */
async function tokenRows({ site, extras, point, calls }: RestoredCase): Promise<Row[]> {
  const { slug, key, token } = extras.connected;
  const { body } = await startRun(site.url, { slug, key, n: 1, idempotencyKey: "connected" });
  const sent = await until("the step with the connection", () =>
    calls.restored.actions.get(`${body.run_id}:call:`),
  ).catch(() => null);
  const isRight = sent?.every(({ authorization }) => authorization === `Bearer ${token}`) ?? false;
  return [zeroRow(point.name, "connections that sent another token", isRight ? 0 : 1)];
}

/**
 * Returns the rows of the schedule. Of the times that passed while no instance ran, the newest may fire. All other
 * times must have fired at most once.
 */
export async function fireRows(
  {
    workspaceId,
    point,
    fires,
    startedAt,
  }: { workspaceId: string } & Pick<RestoredCase, "point" | "fires" | "startedAt">,
  db: pg.Pool,
): Promise<Row[]> {
  const { rows } = await db.query<{ id: string; at: string; created_at: Date }>(
    `select id, input #>> '{output,timestamp}' as at, created_at from runs where workspace_id = $1 and source = 'schedule'`,
    [workspaceId],
  );
  const times = Map.groupBy(rows, ({ at }) => at);
  const late = rows.filter(({ at, created_at }) => created_at >= startedAt && Date.parse(at) < startedAt.getTime());
  const again = rows.filter(({ id, at }) => fires.has(at) && fires.get(at)?.runId !== id);
  const before = new Set([...fires].filter(([, { createdAt }]) => createdAt < point.at).map(([at]) => at));
  return [
    noteRow(point.name, "times fired before the restore point, and late after it", `${before.size}, ${late.length}`),
    zeroRow(point.name, "of them lost", [...before].filter((at) => !times.has(at)).length),
    zeroRow(point.name, "times fired twice", [...times.values()].filter((same) => same.length > 1).length),
    zeroRow(point.name, "times before it fired again", again.filter(({ at }) => before.has(at)).length),
    noteRow(point.name, "times after it fired again", String(again.filter(({ at }) => !before.has(at)).length)),
    zeroRow(point.name, "late times beyond the newest", Math.max(0, late.length - 1)),
  ];
}
