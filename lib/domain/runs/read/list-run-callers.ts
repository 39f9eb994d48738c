import type { RunSource } from "#lib/contract/run/run";
import type { RunCaller } from "#lib/contract/run/run-list";
import { array, boolean, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";

const HAND_STARTED = sqlSet(["manual", "test", "replay", "dry_run"] satisfies RunSource[]);

const selectCallers = defineStatement({
  name: "list_run_callers",
  params: { workspaceId: uuid, runIds: array(uuid) },
  row: { id: uuid, isSubRun: boolean, keyName: nullable(text), prefix: nullable(text), person: nullable(text) },
  // The user of a run that a trigger started is the workflow's owner, who did not start it.
  sql: `select r.id, r.parent_run_id is not null as "isSubRun", k.name as "keyName", k.prefix,
          case when r.source in ${HAND_STARTED} then u.name end as person
        from runs r left join api_keys k on k.id = r.api_key_id left join users u on u.id = r.user_id
        where r.workspace_id = $1 and r.id = any($2)`,
});

/** Returns who or what started each of these runs. Runs of another workspace are left out. */
export async function listRunCallers(workspaceId: string, runIds: readonly string[]): Promise<RunCaller[]> {
  const rows = await selectCallers.all(db(), { workspaceId, runIds });
  return rows.map(({ id, isSubRun, keyName, prefix, person }): RunCaller => {
    // A sub-run belongs to the key or person of the whole tree, but a step of its parent started it.
    if (isSubRun) return { run_id: id, kind: "run", name: null, prefix: null };
    if (keyName !== null) return { run_id: id, kind: "key", name: keyName, prefix };
    return person === null
      ? { run_id: id, kind: "trigger", name: null, prefix: null }
      : { run_id: id, kind: "person", name: person, prefix: null };
  });
}
