import { afterAll, describe, expect, test } from "vitest";
import type { Caller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { startToolServer } from "#lib/connectors/mcp/tool-server.fixture";
import { addAction } from "#lib/domain/actions/action.fixture";
import { useConnectionStage } from "#lib/domain/connections/connection.fixture";
import { addEvents, setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { addTrigger, signStandard } from "#lib/domain/triggers/trigger.fixture";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { receiveWebhook } from "#lib/domain/triggers/webhooks/receive-webhook";
import { greeting } from "#lib/domain/workflows/workflow.fixture";
import { addMember } from "#lib/domain/workspaces/member.fixture";

// Each test calls operations and compares the answers that a browser would read with the operations' output schemas.

const stage = useConnectionStage();
const answered = new Set<string>();

type Name = keyof WebOperations;

/** Returns the answer as a browser reads it. A field that only the schema or only the answer has fails the test. */
async function ask<K extends Name>(
  name: K,
  input: WebOperations[K]["input"],
  who: { userId: string } = stage.workspace,
): Promise<WebOperations[K]["output"]> {
  const operation = OPERATIONS.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  const caller: Caller = { kind: "user", role: "owner", name: "Ada", ...stage.workspace, userId: who.userId };
  const answer = JSON.parse(JSON.stringify(await invoke(operation, caller, input, requestContext())));
  expect(operation.output.parse(answer), name).toEqual(answer);
  answered.add(name);
  return answer;
}

const field = (name: string) => ({ name, type: "string", required: true }) as const;

async function publish(): Promise<string> {
  const { workflow_id } = await ask("create_workflow", { name: "Greet", definition: greeting() });
  await ask("deploy_workflow", { workflow_id, slug: "greet" });
  return workflow_id;
}

test("a field that only the answer or only its schema has fails the check", async () => {
  const { output } = OPERATIONS.find(({ name }) => name === "get_workspace") ?? {};
  const answer = await ask("get_workspace", {});
  expect(output?.parse({ ...answer, undeclared: 1 })).not.toHaveProperty("undeclared");
  const { slug: _missing, ...rest } = answer;
  expect(output?.safeParse(rest).success).toBe(false);
});

test("workflows, from a draft to a published version", async () => {
  const { workflow_id, draft_revision } = await ask("create_workflow", { name: "Greet", definition: greeting() });
  const at = { position: { x: 0, y: 0 }, width: 200, height: 100 };
  const notes = [{ id: "note-a", text: "Ask first", color: "blue" as const, ...at }];
  await ask("save_draft", { workflow_id, expected_revision: draft_revision, notes });
  await ask("preview_publish", { workflow_id });
  await ask("check_slug", { workflow_id, slug: "greet" });
  await ask("deploy_workflow", { workflow_id, slug: "greet" });
  await ask("run_action", { slug: "greet", input: { who: "Ada" } });
  await ask("run_actions", { slug: "greet", items: [{ input: { who: "Ada" } }, { input: {} }, { dry_run: 1 }] });
  await ask("update_workflow", { workflow_id, definition: greeting([field("who"), field("from")]) });
  const preview = await ask("preview_publish", { workflow_id });
  expect(preview.report?.callers).toHaveLength(1);
  await ask("compare_versions", { workflow_id, from: 1, to: "draft" });
  await ask("get_workflow", { workflow_id });
  await ask("get_workflow", { workflow_id, version: 1 });
  await ask("open_workflow", { workflow_id });
  await ask("tell_presence", { workflow_id, client_id: "0".repeat(32), is_here: true });
});

test("lists of workflows, and bulk changes", async () => {
  const workflow_id = await publish();
  const workflow_ids = [workflow_id];
  await ask("tag_workflows", { workflow_ids, add: ["billing"], remove: [] });
  await ask("list_tags", {});
  await ask("run_action", { slug: "greet", input: { who: "Ada" } });
  expect((await ask("list_workflows", {})).data).toHaveLength(1);
  await ask("list_workflow_activity", { workflow_ids });
  await ask("list_workflow_outlines", { workflow_ids });
  await ask("list_templates", {});
  const document = await ask("export_workflow", { workflow_id });
  await ask("import_workflow", { document });
  const copy = await ask("duplicate_workflow", { workflow_id });
  await ask("create_sub_workflow", { name: "Part", slug: "part", publish: true, definition: greeting() });
  await ask("delete_workflow", { workflow_id: copy.workflow_id });
  await ask("archive_workflows", { workflow_ids, archive_action: true });
  await ask("restore_workflows", { workflow_ids });
});

test("actions", async () => {
  await publish();
  await ask("run_action", { slug: "greet", input: { who: "Ada" } });
  await ask("list_actions", {});
  await ask("get_action", { slug: "greet" });
  await ask("list_action_activity", { slugs: ["greet"] });
  await ask("set_action_status", { slug: "greet", status: "paused" });
});

test("runs, their steps and their replays", async () => {
  const { workspaceId } = stage.workspace;
  await addAction(stage.workspace, { slug: "told" });
  const { run_id, workflow_id } = await ask("run_action", { slug: "told", input: { name: "Ada" } });
  await addEvents(workspaceId, run_id, [
    { kind: "step_started", nodeId: "greet", inputData: { to: "Ada" } },
    { kind: "step_failed", nodeId: "greet", error: { code: "RATE_LIMITED", message: "no", retryAfterMs: 5 } },
    { kind: "step_started", nodeId: "greet", attempt: 2 },
    { kind: "step_completed", nodeId: "greet", attempt: 2, outputData: { ok: true }, durationMs: 2 },
  ]);
  await setRun(run_id, "failed");
  await ask("get_run_status", { run_id, include: "events" });
  await ask("wait_for_run", { run_id, timeout_seconds: 0 });
  await ask("list_runs", {});
  await ask("get_run_step", { run_id, step_id: "greet" });
  expect((await ask("get_run_graph", { run_id })).attempts).toHaveLength(2);
  const replay = await ask("replay_run", { run_id, mode: "from_start" });
  await ask("cancel_run", { run_id: replay.run_id });
  await ask("preview_replay", { run_id });
  await ask("replay_runs", { run_ids: [run_id] });
  await ask("cancel_runs", { run_ids: [run_id] });
  await ask("test_workflow", { workflow_id, input: { name: "Ada" } });
  await ask("get_run_usage", {});
  await ask("get_onboarding", {});
});

test("approvals", async () => {
  await addAction(stage.workspace, { slug: "held", approvalPolicy: "always" });
  const { run_id } = await ask("run_action", { slug: "held", input: { name: "Ada" } });
  const [request] = (await ask("list_approvals", {})).data;
  await ask("get_approval", { approval_id: request?.id ?? "" });
  await ask("count_approvals", {});
  await ask("approve_run", { run_id });
});

test("keys", async () => {
  const { key_id } = await ask("create_key", { name: "Bot" });
  const replacement = await ask("rotate_key", { key_id, keep_original: true });
  expect(replacement.replaces).not.toBeNull();
  await ask("list_keys", {});
  await ask("list_key_activity", {});
  await ask("get_key_usage", { key_id });
  await ask("keep_both_keys", { key_id: replacement.key_id });
  await ask("revoke_key", { key_id });
});

test("connections", async () => {
  const { connection } = await ask("create_connection", stage.openai());
  const { connection_id } = connection;
  await ask("list_connection_kinds", {});
  await ask("list_connections", {});
  await ask("list_circuits", {});
  await ask("rename_connection", { connection_id, name: "Models" });
  const api = stage.openai({
    connector: "http",
    auth: "bearer",
    name: "API",
    fields: { token: "t", hosts: "a.example" },
  });
  const { connection: http } = await ask("create_connection", api);
  await ask("allow_connection_host", { connection_id: http.connection_id, origin: "https://b.example" });
  await ask("replace_credentials", { connection_id, auth: "api_key", fields: stage.openai().fields });
  await ask("test_connection", { connection_id });
  await ask("list_models", { connection_id });
  await ask("retry_listeners", { connection_id });
  const server = await startToolServer();
  const mcp = { connector: "mcp", auth: "none", name: "Tools", fields: { server_url: server.url } };
  const tools = { connection_id: (await ask("create_connection", mcp)).connection.connection_id };
  await ask("get_connection_tools", tools);
  await ask("refresh_connection_tools", tools);
  await ask("get_connector_operations", { connector: "mcp", ...tools });
  await ask("get_operation_schema", { connector: "mcp", operation: "weather" });
  server.close();
  await ask("delete_connection", { connection_id });
});

test("connectors", async () => {
  const operations = [{ name: "list_orders", method: "GET", path: "/orders" }];
  const source = { slug: "orders", name: "Orders", base_url: "https://orders.example", operations };
  await ask("validate_connector", source);
  const { build_id } = await ask("build_connector", source);
  await ask("get_build_status", { build_id });
  await ask("list_connectors", {});
  await ask("list_step_catalog", {});
  await ask("get_connector_operations", { connector: "http" });
  await ask("get_operation_schema", { connector: "http", operation: "request" });
  await ask("list_custom_connectors", {});
});

test("triggers and their deliveries", async () => {
  const schedule = await addTrigger(stage.workspace, { kind: "schedule", mode: "interval", seconds: 600 });
  const workflow_id = schedule.workflowId;
  await ask("get_trigger", { workflow_id });
  await ask("run_workflow", { workflow_id });
  await ask("set_trigger_status", { workflow_id, status: "paused" });
  await ask("list_workflows", { type: "event_driven" });
  const { secret, sealed } = await ask("seal_secret", {});
  const webhook = await addTrigger(stage.workspace, { kind: "webhook", scheme: "standard", secret: sealed });
  const body = Buffer.from("{}");
  const headers = signStandard("{}", "msg_1", Date.now(), secret);
  await receiveWebhook(webhook.subscriptionId, deliveryOf({ body, headers }));
  const { data } = await ask("list_deliveries", { workflow_id: webhook.workflowId });
  // Nothing listens at the address of a test, which the answer says.
  await ask("send_sample_event", { workflow_id: webhook.workflowId, body: "{}" });
  await ask("redeliver_event", { delivery_id: data[0]?.delivery_id ?? "" });
  await ask("get_handshake_token", { workflow_id: webhook.workflowId });
  await ask("start_event_test", { workflow_id: webhook.workflowId });
  await ask("get_event_test", { workflow_id: webhook.workflowId });
  await ask("stop_event_test", { workflow_id: webhook.workflowId });
});

test("outbound events and alerts", async () => {
  const url = "https://example.com/hooks";
  const { endpoint_id } = await ask("create_event_endpoint", { url, name: "Hooks", events: ["run.failed"] });
  await ask("update_event_endpoint", { endpoint_id, name: "Alerts" });
  await ask("rotate_event_secret", { endpoint_id });
  await ask("set_event_mail", { events: ["run.failed"] });
  const { delivery_id } = await ask("test_event_endpoint", { endpoint_id });
  await ask("list_event_deliveries", { endpoint_id });
  await ask("resend_event", { delivery_id });
  await ask("list_event_endpoints", {});
  await ask("delete_event_endpoint", { endpoint_id });
  const rule = { workflow_id: null, kind: "slow", threshold: 1_000, window_minutes: 60, min_runs: 10 } as const;
  const { rule_id } = await ask("create_alert_rule", rule);
  await ask("list_alert_rules", {});
  await ask("set_alert_rule", { rule_id, is_enabled: false });
  await ask("delete_alert_rule", { rule_id });
});

test("the workspace, its members and its invites", async () => {
  const { workspaceId } = stage.workspace;
  const editor = await addMember(workspaceId, "editor");
  await ask("update_workspace", { name: "Renamed" });
  await ask("get_usage", {});
  await ask("list_workspaces", {});
  await ask("create_workspace", { name: "Second" });
  await ask("list_members", {});
  await ask("list_members_without_two_step", {});
  await ask("set_member_role", { user_id: editor.userId, role: "viewer" });
  const { invite_id } = await ask("create_invite", { email: "new@test.example", role: "viewer" });
  await ask("list_invites", {});
  await ask("revoke_invite", { invite_id });
  await ask("leave_workspace", {}, editor);
  const { link } = await ask("create_invite", { email: editor.email, role: "approver" });
  await ask("accept_invite", { invite: new URL(link).searchParams.get("invite") ?? "" }, editor);
  await ask("unlock_member", { user_id: editor.userId });
  await ask("remove_member", { user_id: editor.userId });
  await ask("list_audit_events", {});
  await ask("whoami", {});
  await ask("get_step_kinds", {});
  await ask("get_step_kinds", { kind: "switch" });
});

test("what the list of runs offers", async () => {
  const settings = { filters: { status: "failed" }, columns: ["caller" as const], order: "asc" as const };
  // A group is a hash, which is no UUID of a known version.
  await ask("list_error_groups", {});
  await ask("list_runs", { error_group: "d41d8cd9-8f00-b204-e980-0998ecf8427e" });
  await ask("list_run_callers", { run_ids: [] });
  const view = await ask("create_saved_view", { name: "Failed", settings });
  await ask("update_saved_view", { view_id: view.view_id, name: "Failed today" });
  await ask("list_saved_views", {});
  await ask("delete_saved_view", { view_id: view.view_id });
});

test("the account of the signed-in user", async () => {
  await ask("get_session", {});
  await ask("update_account", { name: "Grace" });
  await ask("get_sign_in_methods", {});
  await ask("get_two_step", {});
  await ask("begin_confirmation", {});
  await ask("list_sessions", {});
  await ask("list_account_activity", {});
  await ask("end_sessions", {});
  await ask("get_sso", {});
  await ask("sign_out_everywhere", {});
});

/**
 * Operations that need another service, a build by a worker, a password or a recent sign-in. Their own tests check those
 * answers.
 */
const ASKED_ELSEWHERE = [
  ...["start_authorization", "list_field_options"],
  ...["get_custom_connector", "describe_custom_connector", "delete_connector", "test_operation"],
  ...["change_password", "remove_identity", "confirm_identity", "begin_totp", "confirm_totp"],
  ...["begin_passkey", "add_passkey", "remove_factor", "replace_recovery_codes"],
  ...["set_two_step_rule", "set_sso_rule", "set_required_sso"],
];

describe("every operation", () => {
  afterAll(() => answered.clear());

  test("has an answer checked here or is listed as an exception", () => {
    const missing = OPERATIONS.map(({ name }) => name).filter((name) => !answered.has(name));
    expect(missing.toSorted()).toEqual(ASKED_ELSEWHERE.toSorted());
  });
});
