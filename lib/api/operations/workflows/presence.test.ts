import { afterEach, beforeEach, expect, test } from "vitest";
import type { Caller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { tellPresenceOperation } from "#lib/api/operations/workflows/presence";
import { updateWorkflowOperation } from "#lib/api/operations/workflows/workflows";
import type { WorkflowNotice } from "#lib/contract/workflow/presence";
import { watchRuns } from "#lib/domain/runs/notify/watch-runs";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();

const CLIENT = "01900000-0000-7000-8000-00000000000c";
let workspace: TestWorkspace;
let heard: WorkflowNotice[];
let stop: () => void;

beforeEach(async () => {
  workspace = await addWorkspace();
  heard = [];
  stop = await watchRuns(
    workspace.workspaceId,
    () => undefined,
    undefined,
    (notice) => heard.push(notice),
  );
});
afterEach(() => stop());

async function makeWorkflow({ workspaceId, userId }: TestWorkspace = workspace): Promise<string> {
  const actor = { type: "user", id: userId, name: "Ann" } as const;
  const content = { name: "Shared", description: null, definition: { nodes: [], edges: [] } };
  return (await createWorkflow({ workspaceId, userId, actor }, content)).workflow_id;
}

const ann = (): Caller => ({ kind: "user", role: "viewer", name: "Ann", ...workspace });
const tell = (workflowId: string, isHere: boolean) =>
  invoke(
    tellPresenceOperation,
    ann(),
    { workflow_id: workflowId, client_id: CLIENT, is_here: isHere },
    requestContext(),
  );

test("a page that opens or leaves a workflow notifies its own workspace, and cannot name a workflow of another one", async () => {
  const other = await addWorkspace();
  const overThere: WorkflowNotice[] = [];
  const stopOther = await watchRuns(
    other.workspaceId,
    () => undefined,
    undefined,
    (notice) => overThere.push(notice),
  );
  const workflowId = await makeWorkflow();
  await tell(workflowId, true);
  await tell(workflowId, false);
  await eventually(() => expect(heard.map(({ kind }) => kind)).toEqual(["here", "left"]));
  expect(heard[0]).toMatchObject({ workflow_id: workflowId, client_id: CLIENT, actor: { type: "user", name: "Ann" } });
  const foreign = await makeWorkflow(other);
  await expect(tell(foreign, true)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(overThere).toEqual([]);
  stopOther();
});

test("a change of the draft is announced with its revision, and an agent with the name and prefix of its key", async () => {
  const workflowId = await makeWorkflow();
  const { workspaceId, userId, plan } = workspace;
  const agent: Caller = {
    kind: "api_key",
    workspaceId,
    userId,
    plan,
    name: "Support bot",
    keyId: CLIENT,
    prefix: "svc_Qm4x",
    scopes: ["workflows:write"],
    actionSlugs: null,
  };
  await invoke(updateWorkflowOperation, agent, { workflow_id: workflowId, name: "Theirs" }, requestContext());
  await eventually(() => expect(heard).toHaveLength(1));
  expect(heard[0]).toEqual({
    workflow_id: workflowId,
    kind: "changed",
    actor: { type: "api_key", id: CLIENT, name: "Support bot (svc_Qm4x)" },
    client_id: null,
    revision: 2,
  });
});
