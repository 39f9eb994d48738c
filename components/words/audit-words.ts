import type { AuditAction } from "#lib/contract/workspace/audit-actions";
import type { AuditEventObject } from "#lib/contract/workspace/workspace";

/** The object types of the log, as filter options. */
export const AUDIT_NOUNS = [
  { value: "workflow", label: "Workflows" },
  { value: "action", label: "Actions" },
  { value: "trigger", label: "Triggers" },
  { value: "run", label: "Runs" },
  { value: "key", label: "API keys" },
  { value: "connection", label: "Connections" },
  { value: "connector", label: "Connectors" },
  { value: "event_endpoint", label: "Event endpoints" },
  { value: "event_mail", label: "Event mail" },
  { value: "alert_rule", label: "Alert rules" },
  { value: "member", label: "Members" },
  { value: "workspace", label: "Workspace" },
  { value: "user", label: "Accounts" },
] as const;

const ACTION_WORDS: Record<AuditAction, string> = {
  "action.active": "Action resumed",
  "action.paused": "Action paused",
  "action.archived": "Action archived",
  "action.breaking_change": "Breaking change published",
  "action.approval_removed": "Approval removed or bypassed",
  "alert_rule.created": "Alert rule created",
  "alert_rule.enabled": "Alert rule turned on",
  "alert_rule.disabled": "Alert rule turned off",
  "alert_rule.deleted": "Alert rule deleted",
  "connection.created": "Connection created",
  "connection.signed_in_again": "Connection signed in again",
  "connection.credentials_replaced": "Credentials of a connection replaced",
  "connection.host_allowed": "Host allowed for a connection",
  "connection.renamed": "Connection renamed",
  "connection.tested": "Connection tested",
  "connection.deleted": "Connection deleted",
  "connector.build_requested": "Custom connector build started",
  "connector.operation_tested": "Operation of a connector tested",
  "connector.deleted": "Custom connector deleted",
  "event_endpoint.created": "Event endpoint created",
  "event_endpoint.changed": "Event endpoint changed",
  "event_endpoint.secret_rotated": "Secret of an event endpoint rotated",
  "event_endpoint.deleted": "Event endpoint deleted",
  "event_mail.changed": "Event mail changed",
  "key.created": "Key created",
  "key.rotated": "Key rotated",
  "key.kept": "Old and new key kept",
  "key.transferred": "Key transferred",
  "key.revoked": "Key revoked",
  "member.invited": "Member invited",
  "member.invite_revoked": "Invite revoked",
  "member.joined": "Member joined",
  "member.role_changed": "Member role changed",
  "member.left": "Member left",
  "member.removed": "Member removed",
  "run.approved": "Run approved",
  "run.rejected": "Run rejected",
  "run.cancelled": "Run canceled",
  "run.replayed": "Run replayed",
  "trigger.paused": "Trigger paused",
  "trigger.resumed": "Trigger resumed",
  "user.signed_up": "Account created",
  "user.signed_in": "Signed in",
  "user.sign_in_failed": "Sign-in failed",
  "user.second_factor_failed": "Wrong second factor",
  "user.unlocked": "Account unlocked",
  "user.renamed": "Name changed",
  "user.password_changed": "Password changed",
  "user.identity_linked": "Sign-in service connected",
  "user.identity_removed": "Sign-in service disconnected",
  "user.authenticator_added": "Authenticator app added",
  "user.authenticator_removed": "Authenticator app removed",
  "user.passkey_added": "Passkey added",
  "user.passkey_removed": "Passkey removed",
  "user.two_step_turned_on": "Two-step verification turned on",
  "user.two_step_turned_off": "Two-step verification turned off",
  "user.recovery_codes_replaced": "Recovery codes replaced",
  "user.sessions_ended": "Sessions ended",
  "user.signed_out_everywhere": "Signed out everywhere",
  "workflow.created": "Workflow created",
  "workflow.published": "Workflow published",
  "workflow.archived": "Workflow archived",
  "workflow.restored": "Workflow restored",
  "workflow.deleted": "Workflow deleted",
  "workspace.created": "Workspace created",
  "workspace.updated": "Workspace settings changed",
  "workspace.sso_changed": "Single sign-on changed",
  "workspace.plan_set": "Plan changed",
  "workspace.queue_set": "Queue changed",
};

/** Returns the words for an action. An action of an earlier release is formatted: "key.shown" becomes "Key shown". */
export function describeAction(action: string): string {
  if (isAuditAction(action)) return ACTION_WORDS[action];
  const words = action.replaceAll(/[._]/g, " ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function isAuditAction(action: string): action is AuditAction {
  return Object.hasOwn(ACTION_WORDS, action);
}

/** Returns the actor's name, or a generic word if the event names no one. */
export function describeActor({ type, name }: AuditEventObject["actor"]): string {
  if (type === "system") return name ?? "Signalbox";
  return name ?? (type === "api_key" ? "An API key" : "Someone");
}

/**
 * Formats the details of an event on one line: `name: Bob · editor → admin`. Empty values are omitted. The name comes
 * first and changes last, because the database keeps no order.
 */
export function describeDetails({ from, to, ...details }: AuditEventObject["details"]): string {
  const parts = Object.entries(details)
    .filter(([, value]) => value !== null && value !== "")
    .toSorted(([a], [b]) => Number(b === "name") - Number(a === "name"))
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${describeValue(value)}`);
  if (from !== undefined && to !== undefined) parts.push(describeValue({ from, to }));
  else if (from !== undefined && from !== null) parts.push(`from: ${describeValue(from)}`);
  else if (to !== undefined && to !== null) parts.push(`to: ${describeValue(to)}`);
  return parts.join(" · ");
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(describeValue).join(", ");
  if (typeof value !== "object" || value === null) return value === null ? "none" : String(value);
  const { from, to, ...rest } = value as Record<string, unknown>;
  if (from !== undefined && to !== undefined && Object.keys(rest).length === 0) {
    return `${describeValue(from)} → ${describeValue(to)}`;
  }
  return JSON.stringify(value);
}

/** Returns the page of the event's object, or null if it has no page or the event deleted it. */
export function pathOfObject({ object_type: type, object_id: id, action }: AuditEventObject): string | null {
  if (id === null || action.endsWith(".deleted")) return null;
  if (type === "run") return `/runs/${id}`;
  if (type === "workflow") return `/workflows/${id}`;
  if (type === "api_key") return "/keys";
  if (type === "connection") return "/connections";
  return null;
}
