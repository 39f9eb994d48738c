import { describeCatalog } from "#lib/connectors/describe-catalog";
import { MCP } from "#lib/connectors/mcp/connector";
import type { ConnectionObject } from "#lib/contract/connection/connection";
import type { CatalogApp } from "#lib/contract/connector/connector";
import { LIMITS } from "#lib/contract/limits";
import { listConnections } from "#lib/domain/connections/list-connections";
import { listServerTools, type ToolNameRow } from "#lib/domain/connections/tools/list-server-tools";
import { type CatalogOperationRow, listCatalogOperations } from "#lib/domain/custom-connectors/list-catalog-operations";
import { isOriginAllowed } from "#lib/support/urls/allowed-origins";

/** Lists the services that steps can call, with their operations and the connections that fit them. */
export async function listStepCatalog(workspaceId: string): Promise<CatalogApp[]> {
  const [{ data: connections }, rows, tools] = await Promise.all([
    listConnections(workspaceId, { limit: LIMITS.pageSizeMax }),
    listCatalogOperations(workspaceId),
    listServerTools(workspaceId),
  ]);
  const builtIn = describeCatalog().map((service) => {
    const own = connections.filter(({ connector }) => connector === service.connector);
    const operations = service.connector === MCP ? tools.map(presentTool) : service.operations;
    return { ...service, operations, connections: own.map(presentConnection) };
  });
  const custom = [...Map.groupBy(rows, ({ slug }) => slug).values()].map((own) => presentCustom(own, connections));
  return [...builtIn, ...custom.flat()];
}

/** A tool belongs to one connection, whose name finds it. */
function presentTool({ connection_id, connection, tool, title, about }: ToolNameRow): CatalogApp["operations"][number] {
  return { operation: tool, name: title, description: about, keywords: connection, kind: "action", connection_id };
}

/** A custom connector uses the HTTP connections that may send their credentials to its server. */
function presentCustom(rows: readonly CatalogOperationRow[], connections: readonly ConnectionObject[]): CatalogApp[] {
  const [first] = rows;
  if (first === undefined) return [];
  const target = new URL(first.base_url);
  const fits = ({ connector, origins }: ConnectionObject) => connector === "http" && isOriginAllowed(origins, target);
  return [
    {
      connector: first.slug,
      name: first.name,
      description: first.description,
      keywords: "",
      kind: "custom",
      serves_models: false,
      connections: first.auth === "none" ? [] : connections.filter(fits).map(presentConnection),
      operations: rows.map(({ operation, title, about }) => {
        return { operation, name: title, description: about, keywords: "", kind: "action" };
      }),
    },
  ];
}

function presentConnection({ connection_id, name, status }: ConnectionObject): CatalogApp["connections"][number] {
  return { connection_id, name, status };
}
