import { HTTP_OPERATIONS } from "#lib/connectors/http/operations";
import type { ConnectorOperation } from "#lib/engine/ports";

/** A connector's operations by name. */
type Operations = Readonly<Record<string, ConnectorOperation>>;

/** The connectors that are built in, by the name a definition calls them. */
const CONNECTORS: Readonly<Record<string, Operations>> = { http: HTTP_OPERATIONS };

/** @returns null when there is no such connector, or it has no such operation */
export function findOperation(connector: string, operation: string): ConnectorOperation | null {
  const operations = Object.hasOwn(CONNECTORS, connector) ? CONNECTORS[connector] : undefined;
  return (operations && Object.hasOwn(operations, operation) && operations[operation]) || null;
}
