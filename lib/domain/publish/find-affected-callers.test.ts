import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { addKey, TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { revokeKey } from "#lib/domain/keys/revoke-key";
import { rotateKey } from "#lib/domain/keys/rotate-key";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { previewPublish } from "#lib/domain/publish/preview-publish";
import { runAction } from "#lib/domain/runs/create/run-actions";
import { createWorkflow, type Editor } from "#lib/domain/workflows/create-workflow";
import { updateWorkflow } from "#lib/domain/workflows/update-workflow";
import { greeting } from "#lib/domain/workflows/workflow.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const BEFORE = [
  { name: "who", type: "string", required: true },
  { name: "lang", type: "string", required: false, default: "en" },
  { name: "code", type: "string", required: false },
] as const;

let workspace: TestWorkspace;
let editor: Editor;
let action: { workflowId: string; slug: string };

beforeEach(async () => {
  workspace = await addWorkspace();
  editor = { workspaceId: workspace.workspaceId, userId: workspace.userId, actor: TEST_ACTOR };
  action = await publish([...BEFORE]);
});

async function publish(properties: Parameters<typeof greeting>[0]) {
  const slug = "greet";
  const { workflow_id: workflowId } = await createWorkflow(editor, {
    name: "Greet",
    description: null,
    definition: greeting(properties),
  });
  await deployWorkflow(editor, { workflowId, slug });
  return { workflowId, slug };
}

async function callAs(keyId: string | null, inputs: JsonObject[]): Promise<string[]> {
  const runs = [];
  for (const input of inputs) {
    const source = keyId === null ? "manual" : "action";
    const call = { ...workspace, slug: action.slug, input, dryRun: false, source } as const;
    runs.push(await runAction(keyId === null ? call : { ...call, apiKeyId: keyId }));
  }
  return runs.map(({ run }) => run.run_id);
}

async function reportOf(properties: Parameters<typeof greeting>[0]) {
  await updateWorkflow(editor.workspaceId, action.workflowId, { definition: greeting(properties) });
  const { report } = await previewPublish(editor.workspaceId, action.workflowId);
  if (report === null) throw new Error("the change is not breaking");
  return report.callers;
}

describe("callers that break", () => {
  test("are listed key by key and person by person, from what each of them sent", async () => {
    const bot = await addKey(workspace, { name: "Support bot" });
    const nightly = await addKey(workspace, { name: "Nightly" });
    const [, newest] = await callAs(bot.key_id, [{ who: "a@b.example" }, { who: "Ada" }]);
    await callAs(nightly.key_id, [{ who: "Ada", code: "x" }]);
    await callAs(null, [{ who: "Ada" }]);
    const callers = await reportOf([
      { name: "who", type: "string", required: true },
      { name: "code", type: "string", required: true },
    ]);
    expect(callers.map(({ kind, name, calls, refused, sampled }) => ({ kind, name, calls, refused, sampled }))).toEqual(
      [
        { kind: "key", name: "Support bot", calls: 2, refused: 2, sampled: 2 },
        { kind: "person", name: "Owner", calls: 1, refused: 1, sampled: 1 },
        { kind: "key", name: "Nightly", calls: 1, refused: 0, sampled: 1 },
      ],
    );
    expect(callers[0]).toMatchObject({ prefix: bot.prefix, has_more: false });
    expect(callers[0]?.fields).toEqual([
      { field: "code", effect: "refused", calls: 2, message: "code is required", run_id: newest },
    ]);
  });

  test("a default that was filled in does not count as sent", async () => {
    const { key_id } = await addKey(workspace);
    await callAs(key_id, [{ who: "Ada" }, { who: "Ada", lang: "de" }]);
    const [caller] = await reportOf([
      { name: "who", type: "string", required: true },
      { name: "lang", type: "string", required: true },
      { name: "code", type: "string", required: false },
    ]);
    expect(caller).toMatchObject({ refused: 1, fields: [{ field: "lang", effect: "refused", calls: 1 }] });
  });

  test("a field that no step reads anymore is ignored, which is not refused", async () => {
    const { key_id } = await addKey(workspace);
    await callAs(key_id, [{ who: "Ada", code: "x" }, { who: "Ada" }]);
    const [caller] = await reportOf([
      { name: "who", type: "string", required: true },
      { name: "lang", type: "string", required: false },
      { name: "code", type: "integer", required: false },
    ]);
    expect(caller).toMatchObject({ refused: 1, ignored: 0 });
    const [other] = await reportOf([
      { name: "who", type: "string", required: true },
      { name: "lang", type: "string", required: false },
      { name: "reference", type: "string", required: false },
    ]);
    expect(other).toMatchObject({ refused: 0, ignored: 1 });
    expect(other?.fields).toMatchObject([
      { field: "code", effect: "ignored", message: "code is sent instead of reference" },
    ]);
  });

  test("a revoked key no longer breaks; a rotated one inherits the calls of the key it replaced", async () => {
    const gone = await addKey(workspace, { name: "Gone" });
    const rotated = await addKey(workspace, { name: "Rotated" });
    await callAs(gone.key_id, [{ who: "Ada" }]);
    await callAs(rotated.key_id, [{ who: "Ada" }]);
    await revokeKey({ workspaceId: workspace.workspaceId, keyId: gone.key_id, actor: TEST_ACTOR });
    const successor = await rotateKey({
      workspaceId: workspace.workspaceId,
      keyId: rotated.key_id,
      actor: TEST_ACTOR,
    });
    const callers = await reportOf([{ name: "who", type: "integer", required: true }]);
    expect(callers).toMatchObject([{ id: successor.key_id, name: "Rotated", calls: 1, refused: 1 }]);
  });

  test("calls of another workspace, from a week ago and for an older contract do not count", async () => {
    const { key_id } = await addKey(workspace);
    const [old] = await callAs(key_id, [{ who: "Ada" }]);
    await db().query("update runs set created_at = now() - interval '8 days' where id = $1", [old]);
    await callAs(key_id, [{ who: "Ada" }]);
    const definition = greeting([{ name: "who", type: "boolean", required: true }]);
    await updateWorkflow(editor.workspaceId, action.workflowId, { definition });
    await deployWorkflow(editor, { workflowId: action.workflowId, allowBreaking: true });
    await callAs(key_id, [{ who: true }]);
    const [first] = [workspace];
    expect(await reportOf([{ name: "who", type: "integer", required: true }])).toMatchObject([
      { calls: 2, sampled: 1, refused: 1 },
    ]);
    workspace = await addWorkspace();
    editor = { ...editor, workspaceId: workspace.workspaceId, userId: workspace.userId };
    action = await publish([...BEFORE]);
    expect(workspace.workspaceId).not.toBe(first?.workspaceId);
    expect(await reportOf([{ name: "who", type: "integer", required: true }])).toEqual([]);
  });

  test("only the newest fifty calls of each caller are checked, and large values only by their type", async () => {
    const { key_id } = await addKey(workspace);
    const [newest] = await callAs(key_id, [{ who: "x".repeat(50_000), code: "y" }]);
    await db().query(
      `insert into runs (id, workspace_id, workflow_id, workflow_version_id, action_id, action_slug, source, input, correlation_id,
         api_key_id, created_at)
       select gen_random_uuid(), workspace_id, workflow_id, workflow_version_id, action_id, action_slug, source,
         '{"who": "Ada"}', 'c', api_key_id,
         now() - interval '1 minute' from runs, generate_series(1, 60) where id = $1`,
      [newest],
    );
    expect(await reportOf([{ name: "who", type: "integer", required: true }])).toMatchObject([
      { calls: 61, sampled: 50, refused: 50, fields: [{ field: "who", run_id: newest }, { field: "code" }] },
    ]);
  });
});

describe("other workflows", () => {
  const changed = greeting([
    { name: "who", type: "integer", required: true },
    { name: "code", type: "string", required: true },
  ]);

  /** A workflow with a step that runs the action. */
  async function publishCaller(name: string, input: JsonObject) {
    const definition = greeting([{ name: "n", type: "integer", required: false }]);
    const step = { name: "Ask for it", action_slug: action.slug, input };
    definition.nodes.push({ id: "ask", type: "sub_workflow", position: { x: 0, y: 100 }, data: step });
    definition.edges = [
      { id: "e1", source: "start", target: "ask" },
      { id: "e2", source: "ask", target: "answer" },
    ];
    const { workflow_id: workflowId } = await createWorkflow(editor, { name, description: null, definition });
    await deployWorkflow(editor, { workflowId, slug: name.toLowerCase() });
    return workflowId;
  }

  test("are named by their published steps, even if they have not called yet", async () => {
    const literal = await publishCaller("Literal", { who: "Ada", lang: "de" });
    const templated = await publishCaller("Templated", { who: "{{action_input.n}}", code: "x" });
    const draft = await publishCaller("Redrawn", { who: "Ada" });
    await updateWorkflow(editor.workspaceId, draft, { definition: greeting() });
    await deployWorkflow(editor, { workflowId: draft, allowBreaking: true });
    const callers = await reportOf(changed.nodes[0]?.data.properties as Parameters<typeof greeting>[0]);
    expect(callers).toMatchObject([
      { kind: "workflow", id: literal, name: "Literal", calls: 0, last_call_at: null, sampled: 0 },
      { kind: "workflow", id: templated, name: "Templated", fields: [] },
    ]);
    const step = { id: "ask", name: "Ask for it" };
    expect(callers[0]?.fields).toEqual([
      { field: "code", effect: "refused", calls: 0, message: "code is required", run_id: null, step },
      { field: "who", effect: "refused", calls: 0, message: "who must be an integer", run_id: null, step },
      { field: "lang", effect: "ignored", calls: 0, message: "lang is sent, but no step reads it", run_id: null, step },
    ]);
  });

  test("are judged by what their published version sent, and a refusal names them", async () => {
    const caller = await publishCaller("Nightly", { who: "{{action_input.n}}", code: "x" });
    const parent = { ...workspace, slug: "nightly", input: {}, dryRun: false, source: "manual" } as const;
    const [{ run }, [sent]] = await Promise.all([runAction(parent), callAs(null, [{ who: "Ada", code: "x" }])]);
    await db().query("update runs set parent_run_id = $2, source = 'action' where id = $1", [sent, run.run_id]);
    const callers = await reportOf(changed.nodes[0]?.data.properties as Parameters<typeof greeting>[0]);
    expect(callers).toMatchObject([
      {
        kind: "workflow",
        id: caller,
        calls: 1,
        sampled: 1,
        refused: 1,
        fields: [{ field: "who", effect: "refused", calls: 1, run_id: sent }],
      },
    ]);
    await expect(deployWorkflow(editor, { workflowId: action.workflowId })).rejects.toMatchObject({
      code: "BREAKING_SCHEMA_CHANGE",
      message: expect.stringContaining("Affected workflows: Nightly."),
      details: expect.arrayContaining([
        expect.objectContaining({
          field: "who",
          callers: [expect.objectContaining({ kind: "workflow", workflow_id: caller, name: "Nightly", affected: 1 })],
        }),
      ]),
    });
  });
});

test("an earlier version is published again as a new one, with the same confirmation for breaking callers", async () => {
  const { workflowId } = action;
  const definition = greeting([{ name: "who", type: "string", required: false }]);
  await updateWorkflow(editor.workspaceId, workflowId, { definition });
  await deployWorkflow(editor, { workflowId, allowBreaking: true, note: "Who may be anybody" });
  const preview = await previewPublish(editor.workspaceId, workflowId, 1);
  expect(preview).toMatchObject({
    source: 1,
    next_version: 3,
    changes: [{ kind: "became_required" }, { kind: "added_optional" }, { kind: "added_optional" }],
    graph: { changed: [{ node_id: "start", fields: [{ field: "properties" }] }] },
  });
  await expect(deployWorkflow(editor, { workflowId, version: 1 })).rejects.toMatchObject({
    code: "BREAKING_SCHEMA_CHANGE",
    message: expect.stringContaining("No call in the last 7 days is affected."),
  });
  const result = await deployWorkflow(editor, { workflowId, version: 1, allowBreaking: true });
  expect(result).toMatchObject({ version: 3, action: { release_version: 3 } });
  await expect(deployWorkflow(editor, { workflowId, version: 9 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  const { rows } = await db().query(
    "select version, status, definition from workflow_versions where workflow_id = $1 order by version",
    [workflowId],
  );
  expect(rows.map((row) => [row.version, row.status])).toEqual([
    [1, "archived"],
    [2, "archived"],
    [3, "deployed"],
  ]);
  expect(rows[2].definition).toEqual(rows[0].definition);
});
