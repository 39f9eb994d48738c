import type pg from "pg";
import { noteRow, type Row, zeroRow } from "#bench/faults/result-table";
import type { SentDelivery } from "#bench/faults/webhook-sender";
import type { OutsideCall } from "#bench/stage/outside";

interface RunRow {
  id: string;
  status: string;
  /** The delivery's id from the body. */
  delivery: string;
  completions: number;
}

/**
 * Returns the rows for events that must never happen to a delivery. They come from its answers, from the runs, and from
 * the calls that the outside server received.
 */
export async function webhookRows(
  id: string,
  sent: readonly SentDelivery[],
  calls: ReadonlyMap<string, readonly OutsideCall[]>,
  db: pg.Pool,
): Promise<Row[]> {
  const { rows: runs } = await db.query<RunRow>(
    `select r.id, r.status, r.input #>> '{output,body,id}' as delivery,
       (select count(*)::int from journal_events(r.id) e
        where e.node_id = 'call' and e.kind = 'step_completed') as completions
     from runs r where r.source = 'webhook'`,
  );
  const genuine = sent.filter((one) => one.forgery === null);
  const forged = sent.filter((one) => one.forgery !== null);
  const names = new Set(genuine.map((one) => one.id));
  const byDelivery = Map.groupBy(runs, (run) => run.delivery);
  const runIds = new Map(runs.map((run) => [run.id, run.delivery]));
  const callers = callersOf(calls);
  const count = (what: string, found: number) => zeroRow(id, what, found);
  return [
    noteRow(id, "genuine deliveries, and runs", `${names.size}, ${runs.length}`),
    count("genuine deliveries that were not accepted in the end", genuine.filter((one) => !isAccepted(one)).length),
    count("genuine deliveries without a run", [...names].filter((name) => !byDelivery.has(name)).length),
    count("genuine deliveries with two runs", [...byDelivery.values()].filter((same) => same.length > 1).length),
    count(
      "answers that named another delivery's run",
      genuine.filter((one) => runIds.get(one.runId ?? "") !== one.id).length,
    ),
    count("forged deliveries that were not answered 401", forged.filter((one) => !isRefused(one)).length),
    count("runs without a genuine delivery", runs.filter((run) => !names.has(run.delivery)).length),
    count("runs that did not succeed", runs.filter((run) => run.status !== "succeeded").length),
    count("calls that completed twice, or not at all", runs.filter((run) => run.completions !== 1).length),
    count("genuine deliveries that never called outside", [...names].filter((name) => !callers.has(name)).length),
    count("deliveries that called under two keys", [...callers.values()].filter((keys) => keys.size > 1).length),
    count("calls of forged deliveries", [...callers.keys()].filter((name) => !names.has(name)).length),
  ];
}

function isAccepted({ status, runId }: SentDelivery): boolean {
  return (status === 202 || status === 200) && runId !== null;
}

function isRefused({ status, code }: SentDelivery): boolean {
  return status === 401 && code === "INVALID_SIGNATURE";
}

/** Returns the idempotency keys of each delivery's calls. */
function callersOf(calls: ReadonlyMap<string, readonly OutsideCall[]>): Map<string, Set<string>> {
  const callers = new Map<string, Set<string>>();
  for (const call of [...calls.values()].flat()) {
    // A caller that was killed in the middle of its request sent nothing.
    if (call.body === "") continue;
    const { id } = JSON.parse(call.body) as { id: string };
    callers.set(id, (callers.get(id) ?? new Set()).add(call.key));
  }
  return callers;
}
