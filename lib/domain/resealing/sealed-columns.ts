import { idTokenContext } from "#lib/domain/accounts/provider-session";
import { totpContext } from "#lib/domain/accounts/two-step/totp";
import { commentContext } from "#lib/domain/approvals/present-approval";
import { callbackSecretContext } from "#lib/domain/callbacks/callback-secret";
import { callbackContext } from "#lib/domain/callbacks/open-callback";
import { credentialContext, pendingContext } from "#lib/domain/connections/credentials/sealed-contexts";
import { outputContext } from "#lib/domain/journal/checkpoints/load-outputs";
import { endpointSecretContext } from "#lib/domain/outbound-events/endpoints/signing-secret";
import { answerContext } from "#lib/domain/repeats/answer-once";
import { inputContext, runOutputContext } from "#lib/domain/runs/read/run-row";
import { secretContext } from "#lib/domain/triggers/subscription";
import { eventTestContext } from "#lib/domain/triggers/tests/event-test";
import { inviteLinkContext } from "#lib/domain/workspaces/invites/claim-invite-mail";
import { bytea, type ColumnTypes, filled, text, uuid } from "#lib/platform/db/column-types";

/** A column of sealed values. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Its type in a statement that reads only rows with a value: `filled` if the table allows null. */
  value: typeof bytea;
  /** The columns that identify a row, in the order of an index, with their types. */
  key: ColumnTypes;
  /** The table as `t`, joined with a table that has the workspace_id if it has none itself. */
  from?: string;
  /** Returns the context of the sealed value, from the row's key as the database returns it. */
  contextOf(key: Record<string, unknown>): string;
}

const byId = (contextOf: (id: string) => string) =>
  ({
    key: { id: uuid },
    contextOf: ({ id }: Record<string, unknown>) => contextOf(String(id)),
  }) as const;

/** Every column that stores sealed values; a test compares the list with the database. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: "callback_secrets",
    column: "secret_sealed",
    value: bytea,
    key: { workspace_id: uuid },
    contextOf: ({ workspace_id }) => callbackSecretContext(String(workspace_id)),
  },
  {
    table: "callbacks",
    column: "sealed",
    value: filled(bytea),
    key: { run_id: uuid, node_id: text, iteration: text },
    contextOf: ({ run_id, node_id, iteration }) => callbackContext(String(run_id), String(node_id), String(iteration)),
  },
  { table: "call_keys", column: "answer_sealed", value: filled(bytea), ...byId(answerContext) },
  { table: "approvals", column: "comment_sealed", value: filled(bytea), ...byId(commentContext) },
  { table: "connections", column: "credentials_sealed", value: bytea, ...byId(credentialContext) },
  { table: "connector_listeners", column: "secret_sealed", value: bytea, ...byId(secretContext) },
  { table: "event_endpoints", column: "secret_sealed", value: filled(bytea), ...byId(endpointSecretContext) },
  { table: "runs", column: "input_sealed", value: filled(bytea), ...byId(inputContext) },
  { table: "runs", column: "output_sealed", value: filled(bytea), ...byId(runOutputContext) },
  { table: "trigger_subscriptions", column: "secret_sealed", value: filled(bytea), ...byId(secretContext) },
  {
    table: "user_sessions",
    column: "id_token_sealed",
    value: filled(bytea),
    key: { id: uuid, user_id: uuid },
    from: "user_sessions t cross join lateral (select t.user_id as workspace_id) owner",
    contextOf: ({ id }) => idTokenContext(String(id)),
  },
  {
    table: "user_totp",
    column: "secret_sealed",
    value: bytea,
    key: { user_id: uuid },
    // A person belongs to no workspace: their secret is sealed for themselves.
    from: "user_totp t cross join lateral (select t.user_id as workspace_id) owner",
    contextOf: ({ user_id }) => totpContext(String(user_id)),
  },
  { table: "webhook_tests", column: "event_sealed", value: filled(bytea), ...byId(eventTestContext) },
  { table: "workspace_invites", column: "link_sealed", value: filled(bytea), ...byId(inviteLinkContext) },
  {
    table: "oauth_authorizations",
    column: "sealed",
    value: bytea,
    key: { state_hash: bytea },
    contextOf: ({ state_hash }) => pendingContext(state_hash as Buffer),
  },
  {
    table: "run_checkpoints",
    column: "sealed",
    value: bytea,
    key: { run_id: uuid, node_id: text, iteration: text },
    // Checkpoints of a deleted run are never read, and are dropped with their week.
    from: "run_checkpoints t join runs r on r.id = t.run_id",
    contextOf: ({ run_id, node_id, iteration }) => outputContext(String(run_id), String(node_id), String(iteration)),
  },
];
