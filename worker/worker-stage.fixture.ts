import { afterAll, beforeAll } from "vitest";
import type { Definition, GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import type { RunObject } from "#lib/contract/run";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { getRun, type RunReference } from "#lib/domain/runs/read/get-run";
import { openOutput } from "#lib/domain/runs/read/present-run";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import {
  type CountingServer,
  startCountingServer,
  startTestWorker,
  type TestWorker,
  until,
} from "#worker/supervise/worker-process.fixture";

/** For tests of whole runs: a local API, a workspace, and a worker process. */
interface WorkerStage {
  server: CountingServer;
  workspace: TestWorkspace;
  worker: TestWorker;
  /** Kills the worker, if it is alive, and starts another. */
  replaceWorker(): Promise<void>;
}

/** For tests: call at the top of the file. */
export function useWorkerStage(): WorkerStage {
  useTestDatabase();
  const stage = {
    replaceWorker: async () => {
      stage.worker.child.kill("SIGKILL");
      await stage.worker.exited;
      stage.worker = await startTestWorker();
    },
  } as WorkerStage;
  beforeAll(async () => {
    stage.server = await startCountingServer();
    stage.workspace = await addWorkspace();
    stage.worker = await startTestWorker();
  });
  afterAll(async () => {
    stage.worker.child.kill("SIGKILL");
    await stage.worker.exited;
    stage.server.close();
  });
  return stage;
}

/** For tests: POSTs to a path named like the node. */
export function callNode(stage: Pick<WorkerStage, "server">, id: string, more: JsonObject = {}): GraphNode {
  const params = { method: "POST", url: `${stage.server.url}/${id}` };
  return node(id, "connector", { connector: "http", operation: "request", params, ...more });
}

const ENTRY = node("in", "action_input", { properties: [] });
const END = node("out", "return_output", { properties: [{ name: "done", type: "string", value: "yes" }] });

/** For tests: adds `in` and `out` around the nodes unless the graph has its own. */
export function between(nodes: GraphNode[], ...paths: string[]): Definition {
  const ids = new Set(nodes.map((item) => item.id));
  return { nodes: [ENTRY, END].filter((item) => !ids.has(item.id)).concat(nodes), edges: edges(...paths) };
}

/** For tests: starts a run of a new action. */
export async function startRun(
  stage: Pick<WorkerStage, "workspace">,
  definition: Definition,
  input: JsonObject = { name: "Ada" },
): Promise<RunReference> {
  const { workspace } = stage;
  const action = await addAction(workspace, { definition });
  const { run } = await callAction({ workspace, action }, { input });
  return { workspaceId: workspace.workspaceId, runId: run.run_id, actionSlugs: null };
}

export async function readRunRow({ runId }: RunReference) {
  const { rows } = await db().query(
    `select r.id, r.status, r.error, r.output, r.lease_owner, r.lease_token, r.running_ms, r.claimed_at is not null as clock,
       (select array_agg(a.node_id || ':' || a.status order by a.node_id, a.iteration) from approvals a
         where a.run_id = r.id) as gates,
       (select count(*)::int from run_queue q where q.run_id = r.id) as jobs,
       case when r.serves_sealed_output then r.output_sealed end as served_output, r.workspace_id as sealed_for
     from runs r where r.id = $1`,
    [runId],
  );
  return { ...rows[0], output: openOutput(rows[0]) };
}

export function reachesStatus(run: RunReference, status: string) {
  return until(`the run to be ${status}`, async () => {
    const row = await readRunRow(run);
    return row.status === status && row;
  });
}

/** The run has no owner, and no worker has taken a run. */
export function isParked(run: RunReference) {
  return until("the run to be parked", async () => {
    const row = await readRunRow(run);
    const { rows } = await db().query("select 1 from run_queue where ticket is not null");
    return row.lease_owner === null && row.lease_token > 0 && rows.length === 0 && row;
  });
}

/** "node:kind", or "node/iteration:kind", in the order they were written. */
export async function readKinds({ runId }: RunReference): Promise<string[]> {
  const { rows } = await db().query("select node_id, iteration, kind from journal_events($1) order by seq", [runId]);
  return rows.map((row) => `${row.node_id}${row.iteration && `/${row.iteration}`}:${row.kind.replace("step_", "")}`);
}

export async function show({ workspaceId, runId }: RunReference): Promise<RunObject> {
  return (await getRun(workspaceId, runId, { steps: "full", withEvents: false, actionSlugs: null })).run;
}
