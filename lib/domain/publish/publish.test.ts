import { expect, test } from "vitest";
import { EMPTY_DEFINITION } from "#lib/contract/workflow/graph";
import { checkSlug } from "#lib/domain/publish/check-slug";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { previewPublish } from "#lib/domain/publish/preview-publish";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { updateWorkflow } from "#lib/domain/workflows/update-workflow";
import { greeting, newEditor } from "#lib/domain/workflows/workflow.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { raceBehindLock } from "#lib/platform/db/test-race";

await openTestDatabase();

let slugs = 0;

const ann = await newEditor("ann");

async function create(definition = greeting(), editor = ann): Promise<string> {
  return (await createWorkflow(editor, { name: "Greeting", description: null, definition })).workflow_id;
}

function nextSlug(): string {
  slugs += 1;
  return `greeting-${slugs}`;
}

async function createPublished(): Promise<{ workflowId: string; slug: string }> {
  const [workflowId, slug] = [await create(), nextSlug()];
  await deployWorkflow(ann, { workflowId, slug });
  return { workflowId, slug };
}

async function stored(workflowId: string) {
  const versions = await db().query(
    "select version, status, input_schema, output_schema from workflow_versions where workflow_id = $1 order by version",
    [workflowId],
  );
  const action = await db().query(
    `select a.slug, a.status, a.approval_policy, r.version, r.breaking from actions a
     join action_releases r on r.id = a.current_release_id where a.workflow_id = $1`,
    [workflowId],
  );
  return { versions: versions.rows, action: action.rows[0] };
}

test("the first publish creates version 1 with fixed schemas and an active action with the given slug", async () => {
  const [workflowId, slug] = [await create(), nextSlug()];
  expect(await deployWorkflow(ann, { workflowId, slug, expectedRevision: 1 })).toEqual({
    workflow_id: workflowId,
    version: 1,
    status: "deployed",
    action: { slug, status: "active", approval_policy: "never", release_version: 1 },
    breaking_changes: [],
    warnings: [],
  });
  expect(await stored(workflowId)).toEqual({
    versions: [
      {
        version: 1,
        status: "deployed",
        input_schema: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
        output_schema: { type: "object", properties: { text: { type: "string" } } },
      },
    ],
    action: { slug, status: "active", approval_policy: "never", version: 1, breaking: false },
  });
  expect(await getWorkflow(ann.workspaceId, workflowId)).toMatchObject({
    draft_revision: 1,
    deployed_version: 1,
    has_unpublished_changes: false,
  });
});

test("publishing again archives the previous version and keeps the draft's revision", async () => {
  const { workflowId, slug } = await createPublished();
  await updateWorkflow(ann.workspaceId, workflowId, { name: "Better" });
  const result = await deployWorkflow(ann, { workflowId, slug, approvalPolicy: "always" });
  expect(result).toMatchObject({ version: 2, action: { slug, release_version: 2, approval_policy: "always" } });
  const { versions, action } = await stored(workflowId);
  expect(versions).toMatchObject([
    { version: 1, status: "archived" },
    { version: 2, status: "deployed" },
  ]);
  expect(action).toMatchObject({ version: 2, approval_policy: "always" });
  expect((await getWorkflow(ann.workspaceId, workflowId)).draft_revision).toBe(2);
});

test("an invalid draft is refused with the contract's sentences, and leaves nothing behind", async () => {
  const workflowId = await create(EMPTY_DEFINITION);
  await expect(deployWorkflow(ann, { workflowId, slug: nextSlug() })).rejects.toMatchObject({
    code: "PUBLISH_VALIDATION_FAILED",
    details: [
      { message: "Callable workflow must have exactly 1 Action Input node" },
      { message: "Callable workflow must have at least 1 Return Output node" },
    ],
  });
  expect(await stored(workflowId)).toEqual({ versions: [], action: undefined });
});

test("the slug is required at first, well-formed, and never changes", async () => {
  const workflowId = await create();
  await expect(deployWorkflow(ann, { workflowId })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: [{ field: "slug" }],
  });
  for (const slug of ["", "-a", "a-", "A", "a_b", "ä", "a".repeat(65)]) {
    await expect(deployWorkflow(ann, { workflowId, slug })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
  const published = await createPublished();
  await expect(deployWorkflow(ann, { ...published, slug: nextSlug() })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect((await stored(published.workflowId)).versions).toHaveLength(1);
});

test("a slug belongs to one workflow of a workspace, but several workspaces can use it", async () => {
  const { slug } = await createPublished();
  const workflowId = await create();
  await expect(deployWorkflow(ann, { workflowId, slug })).rejects.toMatchObject({ code: "SLUG_TAKEN" });
  expect((await stored(workflowId)).versions).toEqual([]);
  const bob = await newEditor("bob");
  const other = await create(greeting(), bob);
  expect((await deployWorkflow(bob, { workflowId: other, slug })).action?.slug).toBe(slug);
});

test("of two workflows published under one slug at the same moment one gets it", async () => {
  const slug = nextSlug();
  const ids = await Promise.all([create(), create(), create()]);
  const results = await raceBehindLock(
    { text: "lock table actions in share row exclusive mode" },
    ids.map((workflowId) => () => deployWorkflow(ann, { workflowId, slug })),
  );
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "SLUG_TAKEN" });
  }
});

test("concurrent publishes create versions one after the other, and one is deployed", async () => {
  const { workflowId, slug } = await createPublished();
  const results = await Promise.all(Array.from({ length: 6 }, () => deployWorkflow(ann, { workflowId, slug })));
  expect(results.map((result) => result.version).sort()).toEqual([2, 3, 4, 5, 6, 7]);
  const { versions, action } = await stored(workflowId);
  expect(versions.filter((version) => version.status === "deployed")).toMatchObject([{ version: 7 }]);
  expect(action.version).toBe(7);
});

/** Makes every change of a table fail until the returned function is called. */
async function breakTable(table: string): Promise<() => Promise<unknown>> {
  await db().query(`create function refuse_change() returns trigger language plpgsql as
    $$ begin raise exception 'this table cannot be changed'; end $$`);
  await db().query(
    `create trigger refuse_change before insert or update on ${table} for each statement execute function refuse_change()`,
  );
  return () => db().query("drop function refuse_change cascade");
}

test.each(["workflow_versions", "action_releases", "actions", "workflows", "audit_events"])(
  "a publish that fails while it writes %s leaves the deployed version, the release and the action as they were",
  async (table) => {
    const { workflowId } = await createPublished();
    await updateWorkflow(ann.workspaceId, workflowId, { name: "Better" });
    const before = await stored(workflowId);
    const repair = await breakTable(table);
    try {
      await expect(deployWorkflow(ann, { workflowId })).rejects.toThrow();
    } finally {
      await repair();
    }
    expect(await stored(workflowId)).toEqual(before);
    expect(before.versions).toMatchObject([{ version: 1, status: "deployed" }]);
    expect((await deployWorkflow(ann, { workflowId })).version).toBe(2);
  },
);

test("two concurrent first publishes create one action", async () => {
  const [workflowId, slug] = [await create(), nextSlug()];
  const results = await raceBehindLock(
    { text: "lock table actions in share row exclusive mode" },
    [1, 2].map(() => () => deployWorkflow(ann, { workflowId, slug })),
  );
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "fulfilled"]);
  const { rows } = await db().query("select count(*) from actions where workflow_id = $1", [workflowId]);
  expect(rows).toEqual([{ count: 1 }]);
});

test("a publisher who has not seen the newest draft is refused", async () => {
  const { workflowId } = await createPublished();
  await updateWorkflow(ann.workspaceId, workflowId, { name: "Changed" });
  await expect(deployWorkflow(ann, { workflowId, expectedRevision: 1 })).rejects.toMatchObject({
    code: "REVISION_CONFLICT",
    details: { current_revision: 2 },
  });
});

test("a publish during a save publishes the draft before or after it, whole", async () => {
  const { workflowId } = await createPublished();
  const wider = greeting([
    { name: "who", type: "string", required: true },
    { name: "tone", type: "string", required: false },
  ]);
  await Promise.all([
    updateWorkflow(ann.workspaceId, workflowId, { definition: wider }),
    deployWorkflow(ann, { workflowId }),
  ]);
  const { definition, input_schema: schema } = await getWorkflow(ann.workspaceId, workflowId, "deployed");
  const isWider = JSON.stringify(definition).includes("tone");
  expect(Object.keys(schema?.properties ?? {}).sort()).toEqual(isWider ? ["tone", "who"] : ["who"]);
});

test("a breaking change must be confirmed and is recorded with the release; a safe one needs no confirmation", async () => {
  const { workflowId } = await createPublished();
  const safe = greeting([
    { name: "who", type: "string", required: true },
    { name: "tone", type: "string", required: false },
  ]);
  await updateWorkflow(ann.workspaceId, workflowId, { definition: safe });
  expect((await previewPublish(ann.workspaceId, workflowId)).changes).toMatchObject([
    { field: "tone", kind: "added_optional", breaking: false },
  ]);
  expect((await deployWorkflow(ann, { workflowId })).breaking_changes).toEqual([]);

  const breaking = greeting([
    { name: "who", type: "integer", required: true },
    { name: "tone", type: "string", required: true },
  ]);
  await updateWorkflow(ann.workspaceId, workflowId, { definition: breaking });
  const refused = await deployWorkflow(ann, { workflowId }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "BREAKING_SCHEMA_CHANGE" });
  const details = [
    { field: "who", kind: "type_changed", breaking: true },
    { field: "tone", kind: "became_required", breaking: true },
  ];
  expect((refused as { details: unknown[] }).details).toEqual(
    expect.arrayContaining(details.map((change) => expect.objectContaining(change))),
  );
  expect((await stored(workflowId)).action).toMatchObject({ version: 2 });
  const result = await deployWorkflow(ann, { workflowId, allowBreaking: true });
  expect(result.breaking_changes).toHaveLength(2);
  expect((await stored(workflowId)).action).toMatchObject({ version: 3, breaking: true });
});

test.each(["paused", "archived"])("publishing keeps a %s action %s", async (status) => {
  const { workflowId } = await createPublished();
  await db().query("update actions set status = $2 where workflow_id = $1", [workflowId, status]);
  expect((await deployWorkflow(ann, { workflowId })).action).toMatchObject({ status, release_version: 2 });
});

test("the type is fixed from the first publish on", async () => {
  const { workflowId } = await createPublished();
  // Represents a draft of the other type, which no node creates yet.
  await db().query("update workflows set type = 'event_driven' where id = $1", [workflowId]);
  const message =
    "This workflow was published as event_driven and cannot become callable. Create a new workflow instead.";
  expect((await previewPublish(ann.workspaceId, workflowId)).problems).toEqual([
    { severity: "error", code: "TYPE_FIXED", message },
  ]);
  await expect(deployWorkflow(ann, { workflowId })).rejects.toMatchObject({
    code: "PUBLISH_VALIDATION_FAILED",
    details: [{ message }],
  });
  await updateWorkflow(ann.workspaceId, workflowId, { name: "Saved" });
  expect((await getWorkflow(ann.workspaceId, workflowId)).type).toBe("event_driven");
});

test("an event_driven workflow cannot be published by keys", async () => {
  const { workflowId } = await createPublished();
  await db().query("update workflows set type = 'event_driven' where id = $1", [workflowId]);
  await expect(deployWorkflow(ann, { workflowId, callableOnly: true })).rejects.toMatchObject({
    code: "WORKFLOW_NOT_CALLABLE",
  });
});

test("the slug check answers for this workflow: free, malformed, taken, already its own", async () => {
  const { workflowId, slug } = await createPublished();
  const fresh = await create();
  const check = (id: string, wanted: string) => checkSlug(ann.workspaceId, id, wanted);
  expect(await check(fresh, nextSlug())).toEqual({ available: true, message: null });
  expect(await check(fresh, "No Good")).toMatchObject({ available: false });
  expect(await check(fresh, slug)).toMatchObject({ available: false });
  expect(await check(workflowId, slug)).toEqual({ available: true, message: null });
  expect(await check(workflowId, nextSlug())).toMatchObject({ available: false });
  const eve = await newEditor("eve");
  await expect(checkSlug(eve.workspaceId, workflowId, slug)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(previewPublish(eve.workspaceId, workflowId)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("each publish is in the audit log with its publisher", async () => {
  const { workflowId, slug } = await createPublished();
  const { rows } = await db().query(
    "select action, actor_type, actor_id, details from audit_events where object_id = $1 order by id",
    [workflowId],
  );
  expect(rows).toMatchObject([
    { action: "workflow.created" },
    { action: "workflow.published", actor_type: "user", actor_id: ann.userId, details: { version: 1, slug } },
  ]);
});

test("a key that nothing reads prevents publishing the draft, but not going back to a version that has it", async () => {
  const { workflowId } = await createPublished();
  const [start, ...others] = greeting().nodes;
  const nodes = [{ ...greeting().nodes[0], data: { ...start?.data, shade: "red" } }, ...others];
  const old = JSON.stringify({ ...greeting(), nodes });
  await db().query("update workflow_versions set definition = $2 where workflow_id = $1", [workflowId, old]);
  await db().query("update workflows set draft = $2 where id = $1", [workflowId, old]);
  const { problems } = await getWorkflow(ann.workspaceId, workflowId);
  expect(problems).toMatchObject([{ severity: "error", code: "UNKNOWN_KEY", node_id: "start", field: "shade" }]);
  await expect(deployWorkflow(ann, { workflowId })).rejects.toMatchObject({ code: "PUBLISH_VALIDATION_FAILED" });
  const again = await deployWorkflow(ann, { workflowId, version: 1 });
  expect(again).toMatchObject({ version: 2, warnings: [{ severity: "warning", code: "UNKNOWN_KEY" }] });
});
