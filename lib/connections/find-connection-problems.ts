import type { Definition } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import type { Db } from "#lib/db/pool";
import { nodeProblem } from "#lib/graph/problem";
import { UUID_PATTERN } from "#lib/support/ids";

/**
 * The steps of a definition that name a connection the workspace does not have; one of another workspace is one of them.
 * @param lock `for key share` keeps the named connections until the transaction ends
 */
export async function findConnectionProblems(
  tx: Db,
  workspaceId: string,
  { nodes }: Definition,
  lock: "" | "for key share" = "",
): Promise<GraphProblem[]> {
  const named = nodes.flatMap((node) => {
    const id = node.data.connection_id;
    return typeof id === "string" && id !== "" ? [{ node, id }] : [];
  });
  if (named.length === 0) return [];
  const ids = [...new Set(named.map(({ id }) => id))].filter((id) => UUID_PATTERN.test(id)).sort();
  const { rows } = await tx.query<{ id: string }>({
    text: `select id from connections where workspace_id = $1 and id = any($2) order by id ${lock}`,
    values: [workspaceId, ids],
  });
  const known = new Set(rows.map((row) => row.id));
  return named
    .filter(({ id }) => !known.has(id))
    .map(({ node }) => nodeProblem(node, "UNKNOWN_CONNECTION", "its connection does not exist", "connection_id"));
}
