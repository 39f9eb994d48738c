import type { JsonObject } from "#lib/contract/wire/json-schema";
import { findCallbackSecret } from "#lib/domain/callbacks/callback-secret";
import { type CallbackPlace, isSigned, readCallbackToken } from "#lib/domain/callbacks/callback-token";
import { jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** A step whose address a request named correctly. */
export interface FoundCallback {
  place: CallbackPlace;
  workspaceId: string;
  /** The JSON Schema of the body; null if any body is accepted. */
  schema: JsonObject | null;
  secret: Buffer;
}

const selectStep = defineStatement({
  name: "find_callback_step",
  params: { runId: uuid, nodeId: text },
  row: { workspace_id: uuid, schema: nullable(jsonb<JsonObject>()) },
  sql: `select r.workspace_id, nullif(n -> 'data' -> 'schema', 'null') as schema
        from runs r left join workflow_versions v on v.id = r.workflow_version_id
        cross join lateral jsonb_array_elements(coalesce(r.definition, v.definition)::jsonb -> 'nodes') n
        where r.id = $1 and n ->> 'id' = $2 and n ->> 'type' = 'wait_for_callback'`,
});

/** Returns the step of an address, or null if the address is not one that this service signed. */
export async function findCallback(token: string): Promise<FoundCallback | null> {
  const given = readCallbackToken(token);
  const step = given && (await selectStep.first(db(), { runId: given.runId, nodeId: given.nodeId }));
  const secret = step && (await findCallbackSecret(db(), step.workspace_id));
  if (!given || !step || !secret || !isSigned(secret, given)) return null;
  const { signature: _, ...place } = given;
  return { place, workspaceId: step.workspace_id, schema: step.schema, secret };
}
