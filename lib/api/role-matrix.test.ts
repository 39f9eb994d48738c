import { expect, test } from "vitest";
import { sessionCookie } from "#lib/api/auth/session.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { webRoute } from "#lib/api/web/web-route";
import { hasRole, ROLES, type Role } from "#lib/contract/workspace/roles";
import { addMember } from "#lib/domain/workspaces/member.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

/** The lowest role that can use each operation (decisions, Workspaces). */
const LEAST: Record<Role, string[]> = {
  viewer: [
    "list_actions",
    "get_action",
    "get_step_kinds",
    "whoami",
    "get_run_status",
    "wait_for_run",
    "list_runs",
    "list_error_groups",
    "list_run_callers",
    "list_saved_views",
    "create_saved_view",
    "update_saved_view",
    "delete_saved_view",
    "get_run_step",
    "get_run_graph",
    "list_connectors",
    "list_custom_connectors",
    "get_custom_connector",
    "get_connector_operations",
    "get_operation_schema",
    "get_build_status",
    "list_workflows",
    "get_workflow",
    "open_workflow",
    "compare_versions",
    "list_tags",
    "export_workflow",
    "list_workflow_activity",
    "list_workflow_outlines",
    "tell_presence",
    "list_templates",
    "list_action_activity",
    "list_approvals",
    "get_approval",
    "count_approvals",
    "list_alert_rules",
    "get_run_usage",
    "get_onboarding",
    "get_trigger",
    "list_deliveries",
    "list_connection_kinds",
    "list_step_catalog",
    "list_circuits",
    "get_connection_tools",
    "list_connections",
    "get_session",
    "list_workspaces",
    "create_workspace",
    "get_workspace",
    "get_usage",
    "list_members",
    "leave_workspace",
    "accept_invite",
    "update_account",
    "change_password",
    "sign_out_everywhere",
    "get_sign_in_methods",
    "remove_identity",
    "list_sessions",
    "list_account_activity",
    "end_sessions",
    "get_two_step",
    "begin_totp",
    "confirm_totp",
    "begin_passkey",
    "add_passkey",
    "remove_factor",
    "replace_recovery_codes",
    "begin_confirmation",
    "confirm_identity",
  ],
  approver: ["approve_run"],
  editor: [
    "cancel_run",
    "cancel_runs",
    "replay_runs",
    "archive_workflows",
    "restore_workflows",
    "tag_workflows",
    "create_sub_workflow",
    "duplicate_workflow",
    "import_workflow",
    "build_connector",
    "describe_custom_connector",
    "delete_connector",
    "test_operation",
    "check_slug",
    "create_connection",
    "create_workflow",
    "delete_connection",
    "delete_workflow",
    "deploy_workflow",
    "start_event_test",
    "get_event_test",
    "get_handshake_token",
    "stop_event_test",
    "list_models",
    "list_field_options",
    "preview_publish",
    "preview_replay",
    "redeliver_event",
    "rename_connection",
    "replace_credentials",
    "replay_run",
    "retry_listeners",
    "run_action",
    "run_actions",
    "run_workflow",
    "refresh_connection_tools",
    "save_draft",
    "seal_secret",
    "send_sample_event",
    "start_authorization",
    "set_action_status",
    "set_trigger_status",
    "test_connection",
    "test_workflow",
    "update_workflow",
    "validate_connector",
  ],
  admin: [
    "allow_connection_host",
    "list_event_endpoints",
    "create_event_endpoint",
    "update_event_endpoint",
    "rotate_event_secret",
    "delete_event_endpoint",
    "test_event_endpoint",
    "set_event_mail",
    "list_event_deliveries",
    "resend_event",
    "create_alert_rule",
    "set_alert_rule",
    "delete_alert_rule",
    "list_keys",
    "list_key_activity",
    "get_key_usage",
    "create_key",
    "rotate_key",
    "keep_both_keys",
    "revoke_key",
    "update_workspace",
    "list_members_without_two_step",
    "set_two_step_rule",
    "get_sso",
    "set_sso_rule",
    "set_required_sso",
    "list_audit_events",
    "set_member_role",
    "remove_member",
    "unlock_member",
    "list_invites",
    "create_invite",
    "revoke_invite",
  ],
  owner: [],
};
const leastRoleOf = (name: string) => ROLES.find((role) => LEAST[role].includes(name));
const cells = ROLES.flatMap((role) =>
  OPERATIONS.flatMap(({ name }) => {
    const least = leastRoleOf(name);
    return least === undefined ? [] : [{ role, name, least }];
  }),
);

const cookies = new Map<Role, string>();
const { workspaceId } = await addWorkspace();
for (const role of ROLES) {
  const { userId } = await addMember(workspaceId, role);
  cookies.set(role, await sessionCookie(userId));
}

/** Calls an operation with an unknown field, so a user with access gets a 400 and nothing changes. */
async function ask(name: string, role: Role) {
  const headers = {
    origin: env().PUBLIC_BASE_URL,
    "content-type": "application/json",
    cookie: cookies.get(role) ?? "",
  };
  const request = new Request(`${env().PUBLIC_BASE_URL}/api/web/${name}`, {
    method: "POST",
    headers,
    body: '{"no_such_field":true}',
  });
  const response = await webRoute(request, { params: Promise.resolve({ operation: name }) });
  return { status: response.status, body: await response.json() };
}

test("the table lists every operation exactly once", () => {
  const names = Object.values(LEAST).flat();
  expect(names.toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted());
});

test.each(cells)("the role $role can call $name only if it is high enough", async ({ role, name, least }) => {
  const answer = await ask(name, role);
  if (hasRole(role, least)) expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
  else {
    expect(answer).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", details: { required_role: least, role } },
    });
  }
});
