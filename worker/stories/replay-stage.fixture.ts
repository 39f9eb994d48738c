import { afterEach } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { TestAction } from "#lib/domain/actions/action.fixture";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { type ReplayRequest, replayRun } from "#lib/domain/runs/create/replay-run";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { db } from "#lib/platform/db/pool";
import { useRunStage } from "#worker/stories/run-stage.fixture";

/** For tests of replays: call at the top of the file. */
export function useReplayStage() {
  const stage = useRunStage();
  afterEach(() => {
    stage.server.calls.splice(0);
    for (const path of ["/a", "/b", "/c", "/d", "/yes", "/no"]) stage.server.answer(path, { ok: true });
  });

  /** A call to a path named like the node. */
  function call(id: string, params: JsonObject = {}, more: JsonObject = {}): GraphNode {
    const made = stage.call(id, more);
    made.data.params = { ...(made.data.params as JsonObject), ...params };
    return made;
  }

  const paths = () => stage.server.calls.map(({ path }) => path);

  /** Runs a definition until it ends, and forgets the calls that it made. */
  async function ended(definition: Definition, status: string, input: JsonObject = { name: "Ada" }) {
    const action = await stage.addAction({ definition, inputSchema: { type: "object", properties: {}, required: [] } });
    const run = await stage.runAction(action, { input });
    await stage.reaches(run, status);
    const calls = paths();
    stage.server.calls.splice(0);
    return { action, run, calls };
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
    await stage.reaches(reference, status);
    return { made, reference, run: await stage.show(reference) };
  }

  /** The bodies that a path received. */
  const sent = (path: string) => stage.server.of(path).map(({ body }) => JSON.parse(body) as JsonObject);
  return { stage, call, paths, sent, ended, publish, requestOf, replay };
}
