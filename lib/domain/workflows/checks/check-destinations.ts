import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { createFix } from "#lib/core/graph/checks/create-fix";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import type { Surroundings } from "#lib/domain/workflows/checks/load-surroundings";
import { getPath } from "#lib/support/get-path";
import { isOriginAllowed, literalOrigin } from "#lib/support/urls/allowed-origins";

/**
 * Finds steps whose connection does not send its credentials to the address that the step calls: the first call of every
 * run would be refused.
 */
export function checkDestinations({ nodes }: Definition, surroundings: Surroundings): GraphProblem[] {
  return nodes.flatMap((node) => {
    const { connection_id: id } = node.data;
    const connection = surroundings.connections.find((item) => item.id === id);
    const origin = connection === undefined ? null : destinationOf(node, surroundings);
    if (!connection || origin === null || isOriginAllowed(connection.origins, new URL(origin))) return [];
    const message = `the connection "${connection.name}" does not allow ${origin}, so every call would fail`;
    return [{ ...nodeProblem(node, "HOST_NOT_ALLOWED", message, "connection_id"), origin }];
  });
}

/** Reports that a step has no connection. The only one that fits is its fix. */
export function missingConnection(node: GraphNode, surroundings: Surroundings): GraphProblem {
  const problem = nodeProblem(node, "INVALID_DATA", "connection_id is required", "connection_id");
  const origin = destinationOf(node, surroundings);
  const custom = surroundings.connectors.get(String(node.data.connector));
  const [only, ...others] = surroundings.connections.filter(({ connector, auth, origins }) => {
    if (custom === undefined) return connector === node.data.connector;
    const fits = connector === "http" && auth === custom.auth;
    return fits && origin !== null && isOriginAllowed(origins, new URL(origin));
  });
  const fix = only === undefined || others.length > 0 ? null : createFix(node, { connection_id: only.id });
  return { ...problem, ...(origin === null ? {} : { origin }), ...(fix === null ? {} : { fix }) };
}

/** Returns where an HTTP request or an operation of a custom connector goes; null if only a run knows it. */
function destinationOf(node: GraphNode, { connectors }: Surroundings): string | null {
  const { connector, operation } = node.data;
  if (node.type !== "connector" || typeof connector !== "string") return null;
  if (connector === "http") return literalOrigin(getPath(node.data, ["params", "url"]));
  const custom = connectors.get(connector);
  return literalOrigin(custom?.operations.find(({ name }) => name === operation)?.server ?? custom?.baseUrl);
}
