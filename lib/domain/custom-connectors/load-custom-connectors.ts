import { customOperation } from "#lib/connectors/custom/call-custom";
import type { CustomDefinition } from "#lib/connectors/custom/custom-definition";
import { findConnector, findOperation } from "#lib/connectors/registry";
import { LIMITS } from "#lib/contract/limits";
import type { Definition } from "#lib/contract/workflow/graph";
import type { FindOperation } from "#lib/core/steps/call-operation";
import { array, integer, jsonb, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { leastJsonBytes } from "#lib/support/json";
import { sizedCache } from "#lib/support/sized-cache";

const PINNED_CONNECTOR = { id: uuid, slug: text, version: integer, definition: jsonb<CustomDefinition>() };
type PinnedConnector = RowOf<typeof PINNED_CONNECTOR>;

/** A connector that was built for one workspace. */
export interface CustomConnector extends PinnedConnector {
  name: string;
}

const selectLatest = defineStatement({
  name: "load_custom_connectors",
  params: { workspaceId: uuid, slugs: array(text) },
  row: { ...PINNED_CONNECTOR, name: text },
  sql: `select c.id, c.slug, c.version, v.definition, c.name
        from connectors c join connector_versions v on v.connector_id = c.id and v.version = c.version
        where c.workspace_id = $1 and c.slug = any($2)`,
});

const selectPinned = defineStatement({
  name: "load_pinned_connectors",
  params: { versionId: uuid },
  row: PINNED_CONNECTOR,
  sql: `select p.connector_id as id, p.slug, p.connector_version as version, v.definition
        from workflow_version_connectors p
        join connector_versions v on v.connector_id = p.connector_id and v.version = p.connector_version
        where p.workflow_version_id = $1`,
});

const insertPins = defineStatement({
  name: "pin_connectors",
  params: { workspaceId: uuid, versionId: uuid, slugs: array(text) },
  sql: `insert into workflow_version_connectors (workflow_version_id, slug, connector_id, connector_version)
        select $2, c.slug, c.id, c.version from connectors c where c.workspace_id = $1 and c.slug = any($3)
        for share of c`,
  isPrepared: false,
});

/** Returns the connectors that steps use and that are not built in. */
export function customSlugs(nodes: Definition["nodes"]): string[] {
  const named = nodes.flatMap(({ type, data }) => {
    const { connector } = data;
    const isCustom =
      type === "connector" && typeof connector === "string" && connector !== "" && !findConnector(connector);
    return isCustom ? [connector] : [];
  });
  return [...new Set(named)].sort();
}

/** Loads the workspace's connectors with these names, as their latest build created them. */
export async function loadCustomConnectors(
  tx: Db,
  workspaceId: string,
  slugs: readonly string[],
): Promise<Map<string, CustomConnector>> {
  const rows = await selectLatest.all(tx, { workspaceId, slugs });
  return new Map(rows.map((row) => [row.slug, row]));
}

type Operations = Map<string, ReturnType<typeof customOperation>>;

/** By id and version: a built version never changes. */
const known = sizedCache<string, Operations>(LIMITS.definitionCacheBytes);

/** Resolves the operations of a tested definition from the latest build of each connector. */
export async function latestCustomFinder(tx: Db, workspaceId: string, { nodes }: Definition): Promise<FindOperation> {
  const slugs = customSlugs(nodes);
  if (slugs.length === 0) return findOperation;
  return finderOf([...(await loadCustomConnectors(tx, workspaceId, slugs)).values()]);
}

/** Resolves the operations of a published version from the builds that it was published with, permanently. */
export async function pinnedCustomFinder(tx: Db, versionId: string, { nodes }: Definition): Promise<FindOperation> {
  if (customSlugs(nodes).length === 0) return findOperation;
  return finderOf(await selectPinned.all(tx, { versionId }));
}

/**
 * Keeps the current builds of the custom connectors of a version that is being published.
 * @param tx the transaction that publishes it
 */
export async function pinConnectors(
  tx: Db,
  workspaceId: string,
  versionId: string,
  { nodes }: Definition,
): Promise<void> {
  const slugs = customSlugs(nodes);
  if (slugs.length === 0) return;
  await insertPins.run(tx, { workspaceId, versionId, slugs });
}

function finderOf(connectors: readonly PinnedConnector[]): FindOperation {
  const bySlug = new Map(connectors.map((connector) => [connector.slug, operationsOf(connector)]));
  return (connector, name) => bySlug.get(connector)?.get(name) ?? findOperation(connector, name);
}

function operationsOf({ id, version, definition }: PinnedConnector): Operations {
  const key = `${id}:${version}`;
  const remembered = known.get(key);
  if (remembered) return remembered;
  const operations = new Map(
    definition.operations.map((item) => [item.name, customOperation(definition, item)] as const),
  );
  known.set(key, operations, leastJsonBytes(definition, LIMITS.definitionCacheBytes));
  return operations;
}
