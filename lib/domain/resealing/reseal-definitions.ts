import { SEALED_PREFIX } from "#lib/core/steps/trigger/trigger-data";
import { countUnreadable, type Resealed } from "#lib/domain/resealing/resealed";
import { type Db, db } from "#lib/platform/db/pool";
import { repeatableTransaction } from "#lib/platform/db/transaction";
import { encryptionKeys } from "#lib/platform/secrets/encryption-keys";
import { keyIdOfText, openText, sealText } from "#lib/platform/secrets/seal-text";

/**
 * Where definitions stand that may hold a trigger's secret. A draft counts one revision up: a page that has it open takes
 * the new text in before it saves the old one again.
 */
const PLACES = [
  { table: "workflows", column: "draft", also: ", draft_revision = draft_revision + 1" },
  { table: "workflow_versions", column: "definition", also: "" },
  { table: "runs", column: "definition", also: "" },
];
const SEALED_TEXT = new RegExp(`"${SEALED_PREFIX}[A-Za-z0-9_-]+"`, "g");
const HOLDS_SEALED_TEXT = `like '%"${SEALED_PREFIX}%'`;

/** Seals the secrets in definitions anew, a workspace in one transaction: draft and version stay equal where they were. */
export async function resealDefinitions(): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: new Map() };
  const workspaces = PLACES.map(
    ({ table, column }) => `select workspace_id from ${table} where ${column}::text ${HOLDS_SEALED_TEXT}`,
  );
  const { rows } = await db().query<{ workspace_id: string }>({ text: workspaces.join(" union ") });
  for (const { workspace_id: workspaceId } of rows) {
    const texts = await repeatableTransaction((tx) => resealWorkspace(tx, workspaceId));
    for (const [before, after] of texts) {
      if (after !== null) total.resealed += 1;
      else countUnreadable(total, keyIdOfText(before) ?? "none");
    }
  }
  return total;
}

/** @returns by each text that another key sealed, the new one; null where it does not open */
async function resealWorkspace(tx: Db, workspaceId: string): Promise<ReadonlyMap<string, string | null>> {
  const { currentId } = encryptionKeys();
  const texts = new Map<string, string | null>();
  const reseal = (text: string): string => {
    const keyId = keyIdOfText(text);
    // What somebody wrote that only begins alike is no secret of ours.
    if (keyId === null || keyId === currentId) return text;
    if (!texts.has(text)) {
      const secret = openText(workspaceId, text);
      texts.set(text, secret === null ? null : sealText(workspaceId, secret));
    }
    return texts.get(text) ?? text;
  };
  for (const { table, column, also } of PLACES) {
    const { rows } = await tx.query<{ id: string; definition: string }>({
      text: `select id, ${column}::text as definition from ${table}
             where workspace_id = $1 and ${column}::text ${HOLDS_SEALED_TEXT} order by id for update`,
      values: [workspaceId],
    });
    for (const { id, definition } of rows) {
      const next = definition.replaceAll(SEALED_TEXT, (quoted) => `"${reseal(quoted.slice(1, -1))}"`);
      if (next === definition) continue;
      await tx.query({ text: `update ${table} set ${column} = $2${also} where id = $1`, values: [id, next] });
    }
  }
  return texts;
}
