import { describe, expect, test } from "vitest";
import type { ApiError } from "#lib/contract/error/api-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { listSubscriptions } from "#lib/domain/publish/list-subscriptions";
import { addTrigger, editorIn, republish, triggerDefinition } from "#lib/domain/triggers/trigger.fixture";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { listWorkflows } from "#lib/domain/workflows/list-workflows";
import { exportWorkflow } from "#lib/domain/workflows/workflow-document";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { sealText } from "#lib/platform/secrets/seal-text";

await openTestDatabase();

const workspace = await addWorkspace();

describe("activating a workflow", () => {
  test("creates one subscription, and its id and address survive republishing", async () => {
    const trigger = await addTrigger(workspace, { kind: "webhook" });
    const expected = [
      { id: trigger.subscriptionId, kind: "webhook", url: `http://localhost:3000/webhooks/${trigger.subscriptionId}` },
    ];
    expect(await listSubscriptions(workspace.workspaceId, trigger.workflowId)).toEqual(expected);
    await republish(workspace, trigger, { kind: "webhook", secret: "changed" });
    expect(await listSubscriptions(workspace.workspaceId, trigger.workflowId)).toEqual(expected);
    const list = await listWorkflows(workspace.workspaceId, { order: "desc" }, { limit: 1 });
    expect(list.data[0]).toMatchObject({
      type: "event_driven",
      trigger: { kind: "webhook", status: "active", next_at: null, last_delivery: null },
    });
  });

  test.each([60, 86_400])("with an interval of %i seconds is possible", async (seconds) => {
    const trigger = await addTrigger(workspace, { kind: "schedule", mode: "interval", seconds });
    expect(await listSubscriptions(workspace.workspaceId, trigger.workflowId)).toMatchObject([{ kind: "schedule" }]);
  });

  test.each<[JsonObject, string, RegExp]>([
    [{ mode: "interval", seconds: 59 }, "seconds", /60 to 86400/],
    [{ mode: "interval", seconds: 86_401 }, "seconds", /60 to 86400/],
    [{ mode: "interval", seconds: 90.5 }, "seconds", /whole number/],
    [{ mode: "interval" }, "seconds", /60 to 86400/],
    [{ mode: "cron", expression: "@daily" }, "expression", /five fields/],
    [{ mode: "cron", expression: "* * * * * *" }, "expression", /five fields/],
    [{ mode: "cron", expression: "61 * * * *" }, "expression", /not a valid cron expression/],
    [{ mode: "cron", expression: "0 0 31 2 *" }, "expression", /never fires/],
    [{ mode: "cron", expression: "0 0 * * *", timezone: "Mars/Olympus" }, "timezone", /IANA/],
    [{ mode: "cron", expression: "0 0 * * *", timezone: "+02:00" }, "timezone", /IANA/],
    [{ kind: "webhook", secret: " " }, "secret", /blank/],
    [{ kind: "webhook", scheme: "hmac" }, "scheme", /one of/],
    [{ kind: "webhook", tolerance_seconds: 0 }, "tolerance_seconds", /at least 1/],
    [{ kind: "webhook", scheme: "discord", secret: "s3cret" }, "secret", /must be an Ed25519 public key, as 64 hex/],
    [
      {
        kind: "webhook",
        scheme: "custom",
        secret: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
        verification: { type: "public_key", signature: { header: "x-sig" }, algorithm: "rsa-sha256", key: "pem" },
      },
      "secret",
      /is a private key, which only the sender may have\. Set an RSA public key/,
    ],
    [{ kind: "webhook", delivery_id: "body" }, "delivery_id", /must be whole_body, none or a list/],
  ])("with %j is refused, naming the field", async (config, field, message) => {
    const definition = triggerDefinition({ kind: "schedule", ...config });
    const draft = await createWorkflow(editorIn(workspace), { name: "Wrong", description: null, definition });
    const refusal = await deployWorkflow(editorIn(workspace), { workflowId: draft.workflow_id }).catch(
      (e: ApiError) => e,
    );
    expect(refusal).toMatchObject({ code: "PUBLISH_VALIDATION_FAILED" });
    const [problem, ...others] = (refusal as ApiError).details as GraphProblem[];
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ node_id: "start", field });
    expect(problem?.message).toMatch(message);
    expect(await listSubscriptions(workspace.workspaceId, draft.workflow_id)).toEqual([]);
  });
});

describe("a webhook's secret", () => {
  const SECRET = "correct horse battery staple";

  test("cannot be read from any draft, version, export or row", async () => {
    const trigger = await addTrigger(workspace, { kind: "webhook", secret: SECRET });
    const shown = [
      await getWorkflow(workspace.workspaceId, trigger.workflowId),
      await getWorkflow(workspace.workspaceId, trigger.workflowId, 1),
      await exportWorkflow(workspace.workspaceId, trigger.workflowId),
    ];
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    for (const table of ["workflows", "workflow_versions", "trigger_subscriptions", "audit_events"]) {
      const { rows } = await db().query(`select to_jsonb(t)::text as row from ${table} t`);
      expect(JSON.stringify(rows)).not.toContain(SECRET);
    }
  });

  test("that is saved again keeps its stored text, and counts as unchanged", async () => {
    const trigger = await addTrigger(workspace, { kind: "webhook", secret: SECRET });
    const first = await getWorkflow(workspace.workspaceId, trigger.workflowId);
    await republish(workspace, trigger, { kind: "webhook", secret: SECRET });
    const second = await getWorkflow(workspace.workspaceId, trigger.workflowId);
    expect(second.definition).toEqual(first.definition);
    expect(second.has_unpublished_changes).toBe(false);
  });

  test("of another workspace cannot be activated here", async () => {
    const other = await addWorkspace();
    const secret = sealText(other.workspaceId, SECRET);
    const definition = triggerDefinition({ kind: "webhook", secret });
    const draft = await createWorkflow(editorIn(workspace), { name: "Moved", description: null, definition });
    await expect(deployWorkflow(editorIn(workspace), { workflowId: draft.workflow_id })).rejects.toMatchObject({
      code: "PUBLISH_VALIDATION_FAILED",
      details: [expect.objectContaining({ node_id: "start", field: "secret" })],
    });
    const { rows } = await db().query("select 1 from workflow_versions where workflow_id = $1", [draft.workflow_id]);
    expect(rows).toEqual([]);
  });
});
