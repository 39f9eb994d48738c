import type { SessionRow, TwoStepState } from "#lib/contract/account/account";
import type { AuditEventObject, InviteObject, MemberObject, UsageObject } from "#lib/contract/workspace/workspace";
import { idOf, secondsAgo } from "@/components/testing/page.fixture";

/** Returns an editor who is not the signed-in person. */
export function sampleMember(changes: Partial<MemberObject> = {}): MemberObject {
  return {
    user_id: idOf(1),
    name: "Bob",
    email: "bob@example.com",
    role: "editor",
    joined_at: secondsAgo(86_400),
    active_keys: 0,
    ...changes,
  };
}

export function sampleInvite(changes: Partial<InviteObject> = {}): InviteObject {
  return {
    invite_id: idOf(1),
    email: "cleo@example.com",
    role: "viewer",
    invited_by: "Ann",
    created_at: secondsAgo(60),
    expires_at: secondsAgo(-86_400 * 2),
    status: "open",
    mail: null,
    mail_error: null,
    ...changes,
  };
}

export function auditEvent(changes: Partial<AuditEventObject> = {}): AuditEventObject {
  return {
    event_id: idOf(1),
    at: secondsAgo(60),
    actor: { type: "user", id: idOf(9), name: "Bob" },
    action: "key.created",
    object_type: "api_key",
    object_id: idOf(3),
    details: { name: "Support bot" },
    ...changes,
  };
}

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

export function sampleSession(changes: Partial<SessionRow> = {}): SessionRow {
  return {
    session_id: idOf(1),
    is_current: false,
    method: "password",
    label: null,
    second_factor: null,
    user_agent: FIREFOX,
    address: "192.0.2.7",
    signed_in_at: secondsAgo(7_200),
    last_seen_at: secondsAgo(300),
    ...changes,
  };
}

/** For tests: a user without a second factor. */
export function sampleTwoStep(changes: Partial<TwoStepState> = {}): TwoStepState {
  return {
    is_on: false,
    has_authenticator: false,
    passkeys: [],
    recovery_codes_left: 0,
    required_by: [],
    can_add_passkeys: true,
    ...changes,
  };
}

export function workspaceUsage(changes: Partial<UsageObject> = {}): UsageObject {
  return {
    plan: "free",
    month: "2026-01-01",
    runs: { used: 250, limit: 1_000 },
    own_runs: { used: 3, limit: 100 },
    keys: { used: 1, limit: 3 },
    members: 2,
    definition_bytes: { used: 2_097_152, limit: 67_108_864 },
    requests_per_window: 60,
    ...changes,
  };
}
