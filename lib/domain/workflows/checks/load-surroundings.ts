import type { CustomDefinition } from "#lib/connectors/custom/custom-definition";
import { ACTION_STATUSES } from "#lib/contract/action/action";
import type { InputSchema, OutputSchema } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { type ConnectionFacts, loadConnectionFacts } from "#lib/domain/connections/find-connection-problems";
import { loadDeployedTools, type PinnedTools } from "#lib/domain/connections/tools/pin-tools";
import { loadTools, type StoredTools, toolConnections } from "#lib/domain/connections/tools/stored-tools";
import { customSlugs, loadCustomConnectors } from "#lib/domain/custom-connectors/load-custom-connectors";
import { array, enumOf, json, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const CALLED_ACTION = {
  slug: text,
  status: enumOf(ACTION_STATUSES),
  input_schema: nullable(json<InputSchema>()),
  output_schema: nullable(json<OutputSchema>()),
};
type CalledAction = RowOf<typeof CALLED_ACTION>;

/** What a definition refers to in its workspace. */
export interface Surroundings {
  actions: ReadonlyMap<string, CalledAction>;
  /** Slugs that could be meant, if the definition calls an action that does not exist. */
  otherSlugs: readonly string[];
  connectors: ReadonlyMap<string, CustomDefinition>;
  /** The connections that its steps name, and those that a step without one could use. */
  connections: readonly ConnectionFacts[];
  /** The tools of MCP servers, by connection. */
  servers: ReadonlyMap<string, StoredTools>;
  /** The tools that the deployed version was published with. */
  pinnedTools: PinnedTools;
}

/** A definition that refers to nothing outside itself. */
export const NO_SURROUNDINGS: Surroundings = {
  actions: new Map(),
  otherSlugs: [],
  connectors: new Map(),
  connections: [],
  servers: new Map(),
  pinnedTools: new Map(),
};

const selectCalled = defineStatement({
  name: "find_called_actions",
  params: { workspaceId: uuid, slugs: array(text) },
  row: CALLED_ACTION,
  sql: `select a.slug, a.status, v.input_schema, v.output_schema from actions a
        left join action_releases r on r.id = a.current_release_id
        left join workflow_versions v on v.id = r.workflow_version_id
        where a.workspace_id = $1 and a.slug = any($2)`,
  isPrepared: false,
});

/** Enough to find a name that is spelled almost the same. */
const SLUGS_MAX = 500;

const selectSlugs = defineStatement({
  name: "list_callable_slugs",
  params: { workspaceId: uuid },
  row: { slug: text },
  sql: `select slug from actions where workspace_id = $1 and status = 'active' order by updated_at desc limit ${SLUGS_MAX}`,
  isPrepared: false,
});

/**
 * Loads everything in the workspace that the steps of a definition refer to by name.
 * @param workflowId the workflow of the definition, if it has one
 */
export async function loadSurroundings(
  tx: Db,
  workspaceId: string,
  definition: Definition,
  workflowId: string | null,
): Promise<Surroundings> {
  const { nodes } = definition;
  const called = nodes.flatMap(({ type, data }) => {
    const { action_slug: slug } = data;
    return type === "sub_workflow" && typeof slug === "string" && slug !== "" ? [slug] : [];
  });
  const slugs = [...new Set(called)].sort();
  const rows = slugs.length === 0 ? [] : await selectCalled.all(tx, { workspaceId, slugs });
  const others = rows.length < slugs.length ? await selectSlugs.all(tx, { workspaceId }) : [];
  const custom = customSlugs(nodes);
  const connectors = custom.length === 0 ? [] : await loadCustomConnectors(tx, workspaceId, custom);
  const definitions = new Map(Array.from(connectors, ([slug, item]) => [slug, item.definition]));
  const servers = toolConnections(definition);
  const hasPins = servers.length > 0 && workflowId !== null;
  return {
    servers: await loadTools(tx, workspaceId, servers),
    pinnedTools: hasPins ? await loadDeployedTools(tx, workspaceId, workflowId) : new Map(),
    actions: new Map(rows.map((row) => [row.slug, row])),
    otherSlugs: others.map(({ slug }) => slug),
    connectors: definitions,
    connections: await loadConnectionFacts(tx, workspaceId, definition, (connector) => {
      const custom = definitions.get(connector);
      if (custom) return custom.auth === "none" ? null : "http";
      return connector === "http" ? null : connector;
    }),
  };
}
