import { customOperation } from "#lib/connectors/custom/call-custom";
import type { CustomDefinition } from "#lib/connectors/custom/custom-definition";
import { findConnector, findOperation } from "#lib/connectors/registry";
import type { Definition } from "#lib/contract/graph";
import type { Db } from "#lib/db/pool";
import type { FindOperation } from "#lib/nodes/call-operation";
import { remember } from "#lib/support/remember";

/** A connector that was built for one workspace. */
export interface CustomConnector {
  id: string;
  slug: string;
  name: string;
  version: number;
  definition: CustomDefinition;
}

/** The connectors that steps name and that are not built in. */
export function customSlugs(nodes: Definition["nodes"]): string[] {
  const named = nodes.flatMap(({ type, data }) => {
    const { connector } = data;
    const isCustom =
      type === "connector" && typeof connector === "string" && connector !== "" && !findConnector(connector);
    return isCustom ? [connector] : [];
  });
  return [...new Set(named)].sort();
}

/**
 * The workspace's connectors of these names, as their latest build made them.
 * @param slugs null is all of them, the first hundred by name
 */
export async function loadCustomConnectors(
  tx: Db,
  workspaceId: string,
  slugs: readonly string[] | null,
): Promise<Map<string, CustomConnector>> {
  const { rows } = await tx.query<CustomConnector>({
    name: "load_custom_connectors",
    text: `select id, slug, name, version, definition from connectors
           where workspace_id = $1 and ($2::text[] is null or slug = any($2)) order by slug limit 100`,
    values: [workspaceId, slugs],
  });
  return new Map(rows.map((row) => [row.slug, row]));
}

/** By id and version: a built version never changes. */
const finders = new Map<string, Map<string, ReturnType<typeof customOperation>>>();
const FINDERS_MAX = 100;

/**
 * How the steps of a definition find their operations.
 * @param slugs of the custom connectors they name
 * @returns `stamp` tells one state of those connectors from another
 */
export async function customFinder(
  tx: Db,
  workspaceId: string,
  slugs: readonly string[],
): Promise<{ find: FindOperation; stamp: string }> {
  if (slugs.length === 0) return { find: findOperation, stamp: "" };
  const { rows } = await tx.query<{ slug: string; stamp: string }>({
    name: "stamp_custom_connectors",
    text: `select slug, id || ':' || version as stamp from connectors where workspace_id = $1 and slug = any($2)
           order by slug`,
    values: [workspaceId, slugs],
  });
  const unknown = rows.filter((row) => !finders.has(row.stamp)).map((row) => row.slug);
  const loaded = unknown.length > 0 ? await loadCustomConnectors(tx, workspaceId, unknown) : new Map();
  const operations = new Map<string, Map<string, ReturnType<typeof customOperation>>>();
  for (const connector of loaded.values()) operations.set(connector.slug, makeReady(connector));
  for (const { slug, stamp } of rows) {
    const known = finders.get(stamp);
    if (known && !operations.has(slug)) operations.set(slug, known);
  }
  return {
    find: (connector, name) => findOperation(connector, name) ?? operations.get(connector)?.get(name) ?? null,
    stamp: rows.map((row) => row.stamp).join(","),
  };
}

function makeReady({ id, version, definition }: CustomConnector): Map<string, ReturnType<typeof customOperation>> {
  const ready = new Map(definition.operations.map((item) => [item.name, customOperation(definition, item)] as const));
  remember(finders, `${id}:${version}`, ready, FINDERS_MAX);
  return ready;
}
