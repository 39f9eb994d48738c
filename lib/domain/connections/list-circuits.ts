import { type CircuitObject, PAUSED_CIRCUIT_STATES } from "#lib/contract/connection/connection";
import { LIMITS } from "#lib/contract/limits";
import { enumOf, filled, integer, nullable, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const selectCircuits = defineStatement({
  name: "list_circuits",
  params: { workspaceId: uuid },
  row: {
    connector: text,
    connection_id: nullable(uuid),
    origin: nullable(text),
    state: enumOf(PAUSED_CIRCUIT_STATES),
    opened_at: filled(timestamptz),
    retry_at: filled(timestamptz),
    failures: integer,
    last_error: nullable(text),
  },
  sql: `select connector, connection_id, origin, state, opened_at, retry_at, cardinality(failures) as failures, last_error
        from circuit_breakers where workspace_id = $1 and not is_test and state <> 'closed' and opened_at is not null
        order by opened_at desc, connector, origin, connection_id limit ${LIMITS.circuitsListed}`,
});

/**
 * Lists the destinations of a workspace to which calls are paused (decisions, Connectors: breaker), the latest outage
 * first. Those of tests are not listed.
 */
export async function listCircuits(workspaceId: string): Promise<CircuitObject[]> {
  const rows = await selectCircuits.all(db(), { workspaceId });
  return rows.map((row) => ({
    ...row,
    opened_at: row.opened_at.toISOString(),
    retry_at: row.retry_at.toISOString(),
  }));
}
