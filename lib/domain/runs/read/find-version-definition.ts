import type { Definition } from "#lib/contract/graph";
import { db } from "#lib/platform/db/pool";
import { remember } from "#lib/support/remember";

/** Definitions of versions never change, so a process reads each once. */
const known = new Map<string, Definition>();
const KNOWN_MAX = 500;

/** The definition of a workflow version; null when the version is gone. */
export async function findVersionDefinition(versionId: string): Promise<Definition | null> {
  const remembered = known.get(versionId);
  if (remembered) return remembered;
  const { rows } = await db().query<{ definition: Definition }>({
    name: "find_definition",
    text: "select definition from workflow_versions where id = $1",
    values: [versionId],
  });
  const definition = rows[0]?.definition ?? null;
  if (definition) remember(known, versionId, definition, KNOWN_MAX);
  return definition;
}
