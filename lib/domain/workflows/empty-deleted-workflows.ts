import { type Definition, EMPTY_DEFINITION } from "#lib/contract/workflow/graph";
import { json } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** How many workflows one turn empties: each can have megabytes of versions. */
const BATCH = 100;

const emptyDeleted = defineStatement({
  name: "empty_deleted_workflows",
  params: { empty: json<Definition>() },
  sql: `with gone as (
          select w.id from workflows w
          where w.deleted_at < now() - interval '30 days'
            and not exists (select 1 from runs r where r.workspace_id = w.workspace_id and r.workflow_id = w.id)
            and (w.draft::text <> $1::json::text or exists (
              select 1 from workflow_versions v where v.workflow_id = w.id and v.definition::text <> $1::json::text))
          order by w.deleted_at limit ${BATCH} for update skip locked
        ), versions as (
          update workflow_versions v set definition = $1
          from gone where v.workflow_id = gone.id and v.definition::text <> $1::json::text)
        update workflows w set draft = $1 from gone where w.id = gone.id`,
  isPrepared: false,
});

/**
 * Removes the definitions of workflows that were deleted 30 days ago and have no runs left to show them. The rows stay:
 * an action keeps its slug.
 */
export async function emptyDeletedWorkflows(): Promise<void> {
  await emptyDeleted.run(db(), { empty: EMPTY_DEFINITION });
}
