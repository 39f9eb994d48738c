import { afterEach } from "vitest";
import type { Definition, GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { addAction, type TestAction } from "#lib/domain/actions/action.fixture";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { type ReplayRequest, replayRun } from "#lib/domain/runs/create/replay-run";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { db } from "#lib/platform/db/pool";
import { callNode, reachesStatus, show, useWorkerStage } from "#worker/worker-stage.fixture";

/** For tests of replays: call at the top of the file. */
export function useReplayStage() {
  const stage = useWorkerStage();
  afterEach(() => {
    stage.server.calls.splice(0);
    for (const path of ["/a", "/b", "/c", "/d", "/yes", "/no"]) stage.server.answer(path, { ok: true });
  });

  /** A call to a path named like the node. */
  function call(id: string, params: JsonObject = {}, more: JsonObject = {}): GraphNode {
    const made = callNode(stage, id, more);
    made.data.params = { ...(made.data.params as JsonObject), ...params };
    return made;
  }

  const paths = () => stage.server.calls.map(({ path }) => path);

  /** Runs a definition until it ends, and forgets the calls that it made. */
  async function ended(definition: Definition, status: string, input: JsonObject = { name: "Ada" }) {
    const { workspace } = stage;
    const schema = { type: "object" as const, properties: {}, required: [] };
    const action = await addAction(workspace, { definition, inputSchema: schema });
    const { run } = await callAction({ workspace, action }, { input });
    const reference = { workspaceId: workspace.workspaceId, runId: run.run_id, actionSlugs: null };
    await reachesStatus(reference, status);
    const calls = paths();
    stage.server.calls.splice(0);
    return { action, run: reference, calls };
  }

  /** Publishes a definition as people do. */
  async function publish({ workflowId }: Pick<TestAction, "workflowId">, definition: Definition): Promise<void> {
    const { workspaceId, userId } = stage.workspace;
    await db().query("update workflows set draft = $2 where id = $1", [workflowId, definition]);
    const actor = { type: "user", id: userId, name: "Ann" } as const;
    await deployWorkflow({ workspaceId, userId, actor }, { workflowId, allowBreaking: true });
  }

  function requestOf({ runId }: RunReference, more: Partial<ReplayRequest> = {}): ReplayRequest {
    const { workspace } = stage;
    const actor = { type: "user", id: workspace.userId, name: "Ann" } as const;
    return { ...workspace, runId, actionSlugs: null, version: "latest", actor, ...more };
  }

  async function replay(run: RunReference, status = "succeeded", more: Partial<ReplayRequest> = {}) {
    const made = await replayRun(requestOf(run, more));
    const reference = { ...run, runId: made.run_id };
    await reachesStatus(reference, status);
    return { made, reference, run: await show(reference) };
  }

  /** The bodies that a path received. */
  const sent = (path: string) => stage.server.of(path).map(({ body }) => JSON.parse(body) as JsonObject);
  return { stage, call, paths, sent, ended, publish, requestOf, replay };
}
