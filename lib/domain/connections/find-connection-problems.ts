import type { Definition } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import { array, text, uuid } from "#lib/platform/db/column-types";
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
