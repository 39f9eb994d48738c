import type { Definition } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import { getAuth, unsealCredentials, usableValues } from "#lib/domain/connections/credentials/stored-credentials";
import { array, bigint, bytea, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { UUID_PATTERN } from "#lib/support/ids";

function defineSelection(name: string, lock: "" | "for key share") {
  return defineStatement({
    name,
    params: { workspaceId: uuid, ids: array(uuid) },
    row: { id: uuid, connector: text },
    sql: `select id, connector from connections where workspace_id = $1 and id = any($2) order by id ${lock}`,
    isPrepared: false,
  });
}

const SELECTIONS = {
  "": defineSelection("find_named_connections", ""),
  "for key share": defineSelection("share_named_connections", "for key share"),
};

/**
 * Finds the steps of a definition whose connection does not exist in the workspace. A connection of
 * another workspace counts as missing.
 * @param lock `for key share` locks the connections until the transaction ends
 */
export async function findConnectionProblems(
  tx: Db,
  workspaceId: string,
  { nodes }: Definition,
  lock: keyof typeof SELECTIONS = "",
): Promise<GraphProblem[]> {
  const named = nodes.flatMap((node) => {
    const id = node.data.connection_id;
    return typeof id === "string" && id !== "" ? [{ node, id }] : [];
  });
  if (named.length === 0) return [];
  const ids = [...new Set(named.map(({ id }) => id))].filter((id) => UUID_PATTERN.test(id)).sort();
  const rows = await SELECTIONS[lock].all(tx, { workspaceId, ids });
  const known = new Map(rows.map((row) => [row.id, row.connector]));
  const missing = named
    .filter(({ id }) => !known.has(id))
    .map(({ node }) => nodeProblem(node, "UNKNOWN_CONNECTION", "its connection does not exist", "connection_id"));
  const foreign = named
    .filter(({ node, id }) => node.type === "trigger" && known.has(id) && known.get(id) !== node.data.connector)
    .map(({ node }) =>
      nodeProblem(node, "UNKNOWN_CONNECTION", "its connection belongs to another connector", "connection_id"),
    );
  return [...missing, ...foreign];
}

/** What the checks of a draft know about a connection. */
export interface ConnectionFacts {
  id: string;
  name: string;
  connector: string;
  auth: string;
  /** The origins that get its credentials. */
  origins: readonly string[];
}

const SEALED = { id: uuid, name: text, connector: text, credentials_sealed: bytea };

const selectFacts = defineStatement({
  name: "load_connection_facts",
  params: { workspaceId: uuid, ids: array(uuid), connectors: array(text), limit: bigint },
  row: SEALED,
  sql: `select id, name, connector, credentials_sealed from connections
        where workspace_id = $1 and (id = any($2) or connector = any($3)) order by id = any($2) desc, id limit $4`,
  isPrepared: false,
});

/** More than a draft can name. Of more that could be meant, none is certain. */
const FACTS_MAX = 500;

/**
 * Loads the connections that the connector steps of a definition name, and for steps without one, those of their
 * connector. Leaves out connections that cannot be decrypted.
 * @param connectorOf returns the connector of the connections that a step can use; null if it needs none
 */
export async function loadConnectionFacts(
  tx: Db,
  workspaceId: string,
  { nodes }: Definition,
  connectorOf: (connector: string) => string | null,
): Promise<ConnectionFacts[]> {
  const ids = new Set<string>();
  const connectors = new Set<string>();
  for (const { type, data } of nodes) {
    const { connector, connection_id: id } = data;
    if (type !== "connector" || typeof connector !== "string") continue;
    if (typeof id === "string" && UUID_PATTERN.test(id)) ids.add(id);
    const own = id === undefined || id === "" ? connectorOf(connector) : null;
    if (own !== null) connectors.add(own);
  }
  if (ids.size + connectors.size === 0) return [];
  const rows = await selectFacts.all(tx, {
    workspaceId,
    ids: [...ids].sort(),
    connectors: [...connectors].sort(),
    limit: FACTS_MAX,
  });
  const certain = rows.length < FACTS_MAX ? rows : rows.filter(({ id }) => ids.has(id));
  return certain.flatMap((row) => readFacts(workspaceId, row));
}

function readFacts(workspaceId: string, { id, name, connector, ...row }: RowOf<typeof SEALED>): ConnectionFacts[] {
  try {
    const credentials = unsealCredentials({ workspaceId, id }, row.credentials_sealed);
    const origins = getAuth(connector, credentials.auth).origins(usableValues(connector, credentials));
    return [{ id, name, connector, auth: credentials.auth, origins }];
  } catch {
    // The list of connections logs it and asks for new credentials.
    return [];
  }
}
