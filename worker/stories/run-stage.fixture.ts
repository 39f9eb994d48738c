import { afterAll, afterEach, beforeAll } from "vitest";
import type { RunObject } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { addAction, type TestAction } from "#lib/domain/actions/action.fixture";
import { createConnection } from "#lib/domain/connections/create-connection";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { type ReplayRequest, replayRun } from "#lib/domain/runs/create/replay-run";
import type { ActionCall } from "#lib/domain/runs/create/run-actions";
import { cancelRun } from "#lib/domain/runs/decide/cancel-run";
import { decideRun, type RunDecision } from "#lib/domain/runs/decide/decide-run";
import { ANN, decisionOf } from "#lib/domain/runs/execute/held-run.fixture";
import { getRun, type RunReference } from "#lib/domain/runs/read/get-run";
import { openOutput } from "#lib/domain/runs/read/present-run";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { requeueRuns } from "#lib/platform/jobs/requeue-runs";
import {
  type Call,
  type CountingServer,
  startCountingServer,
  startTestWorker,
  type TestWorker,
  until,
} from "#worker/supervise/worker-process.fixture";

interface StageParts {
  /** The service that the steps call. */
  server: CountingServer;
  workspace: TestWorkspace;
}

interface Workers {
  /** The worker of all tests of the file. */
  worker: TestWorker;
  /** The workers that the test started. */
  workers: TestWorker[];
  /** Starts another worker, which is killed at the end of the test. */
  addWorker(settings?: Record<string, string>): Promise<TestWorker>;
  /** Kills the worker of all tests, if it is alive, and starts another. */
  replaceWorker(): Promise<void>;
}

export type RunStage = StageParts & Workers & ReturnType<typeof runVerbs>;

/**
 * For tests of whole runs: a database, a service, a workspace, and a worker process. Call it at the top of the file.
 * @param hasWorker false if each test starts its own workers
 */
export function useRunStage({ hasWorker = true } = {}): RunStage {
  useTestDatabase();
  const kill = async (workers: TestWorker[]) => {
    for (const worker of workers) worker.child.kill("SIGKILL");
    await Promise.all(workers.map((worker) => worker.exited));
  };
  const stage = { workers: [] as TestWorker[] } as RunStage;
  Object.assign(stage, runVerbs(stage), {
    addWorker: async (settings?: Record<string, string>) => {
      const worker = await startTestWorker(settings);
      stage.workers.push(worker);
      return worker;
    },
    replaceWorker: async () => {
      await kill([stage.worker]);
      stage.worker = await startTestWorker();
    },
  });
  beforeAll(async () => {
    stage.server = await startCountingServer();
    stage.workspace = await addWorkspace();
    if (hasWorker) stage.worker = await startTestWorker();
  });
  afterEach(async () => {
    await kill(stage.workers);
    stage.workers = [];
  });
  afterAll(async () => {
    if (hasWorker) await kill([stage.worker]);
    stage.server.close();
  });
  return stage;
}

const ENTRY = node("in", "action_input", { properties: [] });
const END = node("out", "return_output", { properties: [{ name: "done", type: "string", value: "yes" }] });

/** For tests: adds `in` and `out` around the nodes unless the graph has its own. */
export function between(nodes: GraphNode[], ...paths: string[]): Definition {
  const ids = new Set(nodes.map((item) => item.id));
  return { nodes: [ENTRY, END].filter((item) => !ids.has(item.id)).concat(nodes), edges: edges(...paths) };
}

/** For tests: what a stage can do in its workspace, and how its runs are watched. */
export function runVerbs(stage: StageParts) {
  const referTo = (runId: string): RunReference => {
    const { workspaceId } = stage.workspace;
    return { workspaceId, runId, actionSlugs: null };
  };
  const runAction = async (action: TestAction, more?: Partial<ActionCall>) =>
    referTo((await callAction({ workspace: stage.workspace, action }, more)).run.run_id);
  const startDefinition = async (definition: Definition, input: JsonObject = { name: "Ada" }) =>
    runAction(await addAction(stage.workspace, { definition }), { input });

  return {
    ...RUN_VERBS,
    referTo,
    addAction: (options: Parameters<typeof addAction>[1]) => addAction(stage.workspace, options),
    runAction,
    /** Starts a run of a new action. */
    startDefinition,
    /** Starts a run of a new action with these nodes and paths `between` its input and its output. */
    start: (nodes: GraphNode[], ...paths: string[]) => startDefinition(between(nodes, ...paths)),
    /** Builds a step that POSTs to a path named like the node. */
    call: (id: string, more: JsonObject = {}): GraphNode => {
      const params = { method: "POST", url: `${stage.server.url}/${id}` };
      return node(id, "connector", { connector: "http", operation: "request", params, ...more });
    },
    /** Builds a step that POSTs the body to a path named like the node. */
    post: (id: string, body: JsonObject = {}): GraphNode => {
      const params = { method: "POST", url: `${stage.server.url}/${id}`, body };
      return node(id, "connector", { connector: "http", operation: "request", params });
    },
    /** Waits for the call number `count` of a path. */
    called: (path: string, count = 1): Promise<Call> =>
      until(`call ${count} of ${path}`, () => stage.server.of(path)[count - 1]),
    /** Replays a run as the owner of the workspace. */
    replay: async (run: RunReference, more: Partial<ReplayRequest> = {}): Promise<RunReference> => {
      const actor = { type: "user", id: stage.workspace.userId, name: "Ann" } as const;
      return referTo((await replayRun({ ...stage.workspace, ...run, actor, ...more })).run_id);
    },
    /** Creates a connection, and returns its id. */
    connect: async (
      connector: string,
      auth: string,
      fields: Record<string, string>,
      more: Partial<ConnectOptions> = {},
    ) => {
      const { workspaceId, userId } = stage.workspace;
      const request = { workspaceId, userId, actor: TEST_ACTOR, connector, auth, fields };
      const made = await createConnection({ ...request, name: "Test", acceptFailure: false, ...more });
      return made.connection.connection_id;
    },
  };
}

type ConnectOptions = Pick<Parameters<typeof createConnection>[0], "name" | "acceptFailure">;

const RUN_VERBS = {
  row,
  show,
  /** "node:kind", or "node/iteration:kind", in the order they were written. */
  kinds: async ({ runId }: RunReference): Promise<string[]> => {
    const { rows } = await db().query("select node_id, iteration, kind from journal_events($1) order by seq", [runId]);
    return rows.map(
      (item) => `${item.node_id}${item.iteration && `/${item.iteration}`}:${item.kind.replace("step_", "")}`,
    );
  },
  /** Waits until the run has the status. */
  reaches: (run: RunReference, status: string) =>
    until(`the run to be ${status}`, async () => {
      const found = await row(run);
      return found.status === status && found;
    }),
  /** Waits until the run has no owner, and no worker has taken a run. */
  parks: (run: RunReference) =>
    until("the run to be parked", async () => {
      const found = await row(run);
      const { rows } = await db().query("select 1 from run_queue where ticket is not null");
      return found.lease_owner === null && found.lease_token > 0 && rows.length === 0 && found;
    }),
  /** Waits until the run has ended, whatever its status. */
  ends: (run: RunReference): Promise<RunObject> =>
    until("the run to end", async () => {
      const found = (await getRun(run.workspaceId, run.runId, { steps: "full", withEvents: true, actionSlugs: null }))
        .run;
      return found.completed_at !== null && found;
    }),
  step: async (run: RunReference, stepId: string) => (await show(run)).steps.find((step) => step.step_id === stepId),
  /** Decides as Ann. An empty `more` approves. */
  decide: (run: RunReference, more?: Partial<RunDecision>) => decideRun(decisionOf(run, more)),
  cancel: (run: RunReference) => cancelRun(run, ANN),
  requeue: ({ runId }: RunReference) => requeueRuns(db(), [{ runId, stalled: 0 }]),
};

async function row({ runId }: RunReference) {
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

async function show({ workspaceId, runId }: RunReference) {
  return (await getRun(workspaceId, runId, { steps: "full", withEvents: false, actionSlugs: null })).run;
}
