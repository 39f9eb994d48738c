import type { CircuitObject } from "#lib/contract/connection";
import { db } from "#lib/platform/db/pool";

interface CircuitRow {
  connector: string;
  state: CircuitObject["state"];
  opened_at: Date;
  retry_at: Date;
  failures: number;
  last_error: string | null;
}

/** The connectors of a workspace whose calls are paused (decisions, Connectors: breaker), the latest outage first. */
export async function listCircuits(workspaceId: string): Promise<CircuitObject[]> {
  const { rows } = await db().query<CircuitRow>({
    name: "list_circuits",
    text: `select connector, state, opened_at, retry_at, cardinality(failures) as failures, last_error
           from circuit_breakers where workspace_id = $1 and state <> 'closed' and opened_at is not null
           order by opened_at desc, connector`,
    values: [workspaceId],
  });
  return rows.map((row) => ({
    ...row,
    opened_at: row.opened_at.toISOString(),
    retry_at: row.retry_at.toISOString(),
  }));
}
