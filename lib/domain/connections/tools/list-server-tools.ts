import { LIMITS } from "#lib/contract/limits";
import { bigint, integer, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const TOOL_NAME = { connection_id: uuid, connection: text, tool: text, title: text, about: text };

/** A tool of a connection's server, without its schemas. */
export type ToolNameRow = RowOf<typeof TOOL_NAME>;

const selectNames = defineStatement({
  name: "list_tool_names",
  params: { workspaceId: uuid, characters: integer, limit: bigint },
  row: TOOL_NAME,
  sql: `select c.id as connection_id, c.name as connection, o.value ->> 'name' as tool, o.value ->> 'title' as title,
          left(o.value ->> 'description', $2) as about
        from connections c join connection_tools t on t.workspace_id = c.workspace_id and t.connection_id = c.id,
          json_array_elements(t.tools) with ordinality as o (value, place)
        where c.workspace_id = $1 order by c.created_at desc, c.id, o.place limit $3`,
  isPrepared: false,
});

/** Lists the tools of all servers that the workspace is connected to, in the servers' own order. */
export function listServerTools(workspaceId: string): Promise<ToolNameRow[]> {
  const { catalogDescriptionCharacters: characters, catalogOperations: limit } = LIMITS;
  return selectNames.all(db(), { workspaceId, characters, limit });
}
