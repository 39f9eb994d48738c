import pg from "pg";
import { countRepeats, countViolations } from "#bench/faults/count-violations";
import type { Load } from "#bench/faults/machines/load";
import type { Cluster } from "#bench/faults/machines/open-cluster";
import type { Tenants } from "#bench/faults/machines/tenants";
import { noteRow, type Row, violationRows, zeroRow } from "#bench/faults/result-table";
import { leftoverRows } from "#bench/faults/run-leftovers";
import { webhookRows } from "#bench/faults/webhook-violations";
import { waitForRuns } from "#bench/faults/workload";
import { enterStage } from "#bench/stage/stage";
import { closeDb } from "#lib/platform/db/pool";

const ID = "verdict";
const PATIENCE_MS = 120_000;

interface Case {
  cluster: Cluster;
  tenants: Tenants;
  load: Load;
  /** When the schedule was published and when the load ended, by the wall clock. */
  fromMs: number;
  toMs: number;
  report(text: string): void;
}

/** Waits until every run has ended, and counts events that must never happen. The load must have ended. */
export async function judge(given: Case): Promise<Row[]> {
  const { cluster, load, report } = given;
  enterStage(cluster);
  const db = new pg.Pool({ connectionString: cluster.database.url(), max: 2 });
  try {
    const open = await waitForRuns(PATIENCE_MS, db);
    for (const one of load.surprises.slice(0, 10)) report(`surprise: ${one}`);
    return [
      zeroRow(ID, "runs that have not ended", open),
      zeroRow(ID, "answers that a client did not expect", load.surprises.length),
      ...(await stepRows(given)),
      ...(load.slow.size > 0 ? await slowRows(given) : []),
      ...(await leftoverRows(ID)),
      ...(await webhookRows("webhooks", load.deliveries, cluster.outside.events.calls, db)),
      ...(await approvalRows(db, {
        workspaceId: given.tenants.asking.workspaceId,
        approved: load.approved,
        calls: cluster.outside.actions.calls,
      })),
      ...(await scheduleRows(db, given.tenants.events.workspaceId, given)),
      noteRow("streams", "connections, and events received", Object.values(load.watchers).toReversed().join(", ")),
      zeroRow("streams", "watchers that received nothing", load.watchers.events > 0 ? 0 : 1),
    ];
  } finally {
    await db.end();
    await closeDb();
  }
}

async function stepRows({ cluster, tenants, load, report }: Case): Promise<Row[]> {
  const { calls } = cluster.outside.actions;
  const { examples, ...violations } = await countViolations(tenants.steps, load.accepted, { calls, poison: new Set() });
  for (const example of examples) report(example);
  const repeats = await countRepeats(tenants.steps, calls);
  return [
    noteRow("actions", "runs over REST, over MCP", `${load.accepted.size - load.mcpCalls}, ${load.mcpCalls}`),
    noteRow("actions", "steps that call outside", String(repeats.steps)),
    noteRow(
      "actions",
      "in flight at a kill: started again, called again under the same key",
      [repeats.startedAgain, repeats.calledAgain].join(", "),
    ),
    ...violationRows("actions", violations),
  ];
}

/** Returns the rows of the slow runs, which were open while machines were replaced. No other phase starts any. */
async function slowRows({ cluster, tenants, load, report }: Case): Promise<Row[]> {
  const { calls } = cluster.outside.slow;
  const { examples, ...violations } = await countViolations(tenants.slow, load.slow, { calls, poison: new Set() });
  for (const example of examples) report(example);
  const { steps, startedAgain, calledAgain } = await countRepeats(tenants.slow, calls);
  return [
    noteRow("slow", "runs, and steps", `${load.slow.size}, ${steps}`),
    noteRow("slow", "in flight at a replacement: started again, called again", `${startedAgain}, ${calledAgain}`),
    ...violationRows("slow", violations),
  ];
}

/** Returns the rows of approvals: an approved run executes its step once, no matter how often the decision was sent. */
export async function approvalRows(
  db: pg.Pool,
  {
    workspaceId,
    approved,
    calls,
  }: { workspaceId: string; approved: Load["approved"]; calls: ReadonlyMap<string, unknown> },
): Promise<Row[]> {
  const { rows } = await db.query<{ id: string; status: string; completions: number }>(
    `select r.id, r.status, (select count(*)::int from journal_events(r.id) e
       where e.node_id = 's1' and e.kind = 'step_completed') as completions
     from runs r where r.workspace_id = $1`,
    [workspaceId],
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  const ids = [...approved.keys()];
  const uncalled = ids.filter((id) => !calls.has(`${id}:s1:`));
  return [
    noteRow("approvals", "runs approved", String(ids.length)),
    zeroRow("approvals", "approved runs lost", ids.filter((id) => !found.has(id)).length),
    zeroRow("approvals", "runs created twice", rows.length - ids.length),
    zeroRow("approvals", "runs that did not succeed", rows.filter(({ status }) => status !== "succeeded").length),
    zeroRow("approvals", "steps completed twice, or not at all", rows.filter((row) => row.completions !== 1).length),
    zeroRow("approvals", "approved runs that never called outside", uncalled.length),
  ];
}

/** Returns the rows of the schedule: every full minute in which the schedule was active has one run. */
export async function scheduleRows(
  db: pg.Pool,
  workspaceId: string,
  { fromMs, toMs }: Pick<Case, "fromMs" | "toMs">,
): Promise<Row[]> {
  const { rows } = await db.query<{ at: string; status: string }>(
    `select input #>> '{output,timestamp}' as at, status from runs where workspace_id = $1 and source = 'schedule'`,
    [workspaceId],
  );
  const fired = Map.groupBy(rows, ({ at }) => Date.parse(at));
  const minute = 60_000;
  const expected: number[] = [];
  // A schedule may fire some seconds late, so the last minute counts only if it started well before the end.
  for (let at = Math.ceil(fromMs / minute) * minute; at < toMs - 10_000; at += minute) expected.push(at);
  return [
    noteRow("schedule", "minutes, and runs", `${expected.length}, ${rows.length}`),
    zeroRow("schedule", "minutes missed", expected.filter((at) => !fired.has(at)).length),
    zeroRow("schedule", "minutes fired twice", [...fired.values()].filter((same) => same.length > 1).length),
    zeroRow("schedule", "runs that did not succeed", rows.filter(({ status }) => status !== "succeeded").length),
  ];
}
