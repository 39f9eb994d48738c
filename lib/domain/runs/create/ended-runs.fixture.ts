import { beforeEach, expect } from "vitest";
import type { TerminalRunStatus } from "#lib/contract/run/run";
import type { EngineEvent } from "#lib/core/engine/ports";
import { NO_MASK } from "#lib/core/redaction/mask-texts";
import { addAction } from "#lib/domain/actions/action.fixture";
import { BATCH_COLUMNS, givenText, insertBatchSql } from "#lib/domain/journal/append-events";
import { prepareBatch } from "#lib/domain/journal/checkpoints/prepare-batch";
import { callAction, type Stage } from "#lib/domain/runs/create/call-action.fixture";
import type { ReplayRequest } from "#lib/domain/runs/create/replay-run";
import { setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";

/** For tests of replays: creates an action in a new workspace, and ended runs of it. */
export function useEndedRuns() {
  const stage = {} as Stage;
  beforeEach(async () => {
    stage.workspace = await addWorkspace();
    stage.action = await addAction(stage.workspace);
  });

  function requestOf(runId: string, more: Partial<ReplayRequest> = {}): ReplayRequest {
    const { workspace } = stage;
    const actor = { type: "user", id: workspace.userId, name: "Ann" } as const;
    return { ...workspace, runId, actionSlugs: null, actor, ...more };
  }

  async function endedRun(status: TerminalRunStatus = "failed"): Promise<string> {
    const { run } = await callAction(stage);
    await setRun(run.run_id, status);
    return run.run_id;
  }

  /** Appends events like a worker: sanitized, with sealed originals. */
  async function journal(runId: string, ...events: (Pick<EngineEvent, "kind" | "nodeId"> & Partial<EngineEvent>)[]) {
    const at = new Date();
    const whole = events.map((event) => ({ iteration: "", attempt: 1, at, ...event }));
    const batch = await prepareBatch({ runId, workspaceId: stage.workspace.workspaceId, mask: NO_MASK }, whole, at);
    await db().query({
      text: `with given as (select * from json_to_recordset($1::json) as g (id uuid, ${BATCH_COLUMNS})),
             fence as (select r.id, r.workspace_id from runs r join given g on g.id = r.id), ${insertBatchSql()}
             select id from fence`,
      values: [`[${givenText({ id: runId }, batch)}]`],
    });
  }

  async function reusedIn(runId: string): Promise<string[]> {
    const { rows } = await db().query("select node_id, iteration, kind, reused from journal_events($1) order by seq", [
      runId,
    ]);
    expect(rows.every((row) => row.reused)).toBe(true);
    return rows.map((row) => `${row.node_id}${row.iteration && `@${row.iteration}`} ${row.kind.replace("step_", "")}`);
  }

  return { stage, requestOf, endedRun, journal, reusedIn };
}
