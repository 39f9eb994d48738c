import { LIMITS } from "#lib/contract/limits";
import type { Definition } from "#lib/contract/workflow/graph";
import { json, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { leastJsonBytes } from "#lib/support/json";
import { sizedCache } from "#lib/support/sized-cache";

/** Definitions of versions never change, so a process reads each once. */
const known = sizedCache<string, Definition>(LIMITS.definitionCacheBytes);

const selectDefinition = defineStatement({
  name: "find_definition",
  params: { versionId: uuid },
  row: { definition: json<Definition>() },
  sql: `select definition from workflow_versions where id = $1`,
});

/** Returns the definition of a workflow version, or null if the version no longer exists. */
export async function findVersionDefinition(versionId: string): Promise<Definition | null> {
  const remembered = known.get(versionId);
  if (remembered) return remembered;
  const definition = (await selectDefinition.first(db(), { versionId }))?.definition ?? null;
  if (definition) known.set(versionId, definition, leastJsonBytes(definition, LIMITS.definitionCacheBytes));
  return definition;
}
