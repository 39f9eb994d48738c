import { SEALED_PREFIX } from "#lib/core/steps/trigger/trigger-data";
import { countUnreadable, type Opened, type Resealed } from "#lib/domain/resealing/resealed";
import { jsonText, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db, repeatableTransaction } from "#lib/platform/db/pool";
import { encryptionKeys } from "#lib/platform/secrets/seal";
import { keyIdOfText, openText, sealText } from "#lib/platform/secrets/seal-text";

const SEALED_TEXT = new RegExp(`"${SEALED_PREFIX}[A-Za-z0-9_-]+"`, "g");

/**
 * The columns that store definitions, which may contain a trigger's secret. A draft's revision increases by one: a page
 * that has it open loads the new text before it saves the old one again.
 */
const PLACES = [
  definePlace("workflows", "draft", ", draft_revision = draft_revision + 1"),
  definePlace("workflow_versions", "definition"),
  definePlace("runs", "definition"),
];

function definePlace(table: string, column: string, also = "") {
  const holdsSealedText = `${column}::text like '%"${SEALED_PREFIX}%'`;
  return {
    selectDefinitions: defineStatement({
      name: `read_sealed_definitions_of_${table}`,
      params: { workspaceId: uuid },
      row: { definition: text },
      sql: `select ${column}::text as definition from ${table}
            where workspace_id = $1 and ${holdsSealedText}`,
      isPrepared: false,
    }),
    workspacesSql: `select workspace_id from ${table} where ${holdsSealedText}`,
    lockDefinitions: defineStatement({
      name: `lock_sealed_definitions_of_${table}`,
      params: { workspaceId: uuid },
      row: { id: uuid, definition: text },
      sql: `select id, ${column}::text as definition from ${table}
            where workspace_id = $1 and ${holdsSealedText} order by id for update`,
      isPrepared: false,
    }),
    updateDefinition: defineStatement({
      name: `reseal_definition_of_${table}`,
      params: { id: uuid, definition: jsonText },
      sql: `update ${table} set ${column} = $2${also} where id = $1`,
      isPrepared: false,
    }),
  };
}

const selectWorkspaces = defineStatement({
  name: "find_workspaces_with_sealed_definitions",
  row: { workspace_id: uuid },
  sql: PLACES.map(({ workspacesSql }) => workspacesSql).join(" union "),
  isPrepared: false,
});

/** Seals the secrets in definitions again, one workspace per transaction: draft and version stay equal if they were. */
export async function resealDefinitions(): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: new Map() };
  for (const { workspace_id: workspaceId } of await selectWorkspaces.all(db())) {
    const texts = await repeatableTransaction((tx) => resealWorkspace(tx, workspaceId));
    for (const [before, after] of texts) {
      if (after !== null) total.resealed += 1;
      else countUnreadable(total, keyIdOfText(before) ?? "none");
    }
  }
  return total;
}

/** Decrypts the secrets in definitions, and changes nothing. Counts each secret once, however often it is stored. */
export async function openDefinitions(db: Db): Promise<Opened> {
  const total: Opened = { readable: 0, unreadable: new Map() };
  for (const { workspace_id: workspaceId } of await selectWorkspaces.all(db)) {
    const texts = new Set<string>();
    for (const { selectDefinitions } of PLACES) {
      for (const { definition } of await selectDefinitions.all(db, { workspaceId })) {
        for (const [quoted] of definition.matchAll(SEALED_TEXT)) texts.add(quoted.slice(1, -1));
      }
    }
    for (const text of texts) {
      const keyId = keyIdOfText(text);
      if (keyId === null) continue;
      if (openText(workspaceId, text) === null) countUnreadable(total, keyId);
      else total.readable += 1;
    }
  }
  return total;
}

/** @returns a map from each text that another key sealed to the new one, or to null if it cannot be decrypted */
async function resealWorkspace(tx: Db, workspaceId: string): Promise<ReadonlyMap<string, string | null>> {
  const { currentId } = encryptionKeys();
  const texts = new Map<string, string | null>();
  const reseal = (text: string): string => {
    const keyId = keyIdOfText(text);
    // A text that a person wrote and that only starts like a sealed one is not a secret of ours.
    if (keyId === null || keyId === currentId) return text;
    if (!texts.has(text)) {
      const secret = openText(workspaceId, text);
      texts.set(text, secret === null ? null : sealText(workspaceId, secret));
    }
    return texts.get(text) ?? text;
  };
  for (const { lockDefinitions, updateDefinition } of PLACES) {
    for (const { id, definition } of await lockDefinitions.all(tx, { workspaceId })) {
      const next = definition.replaceAll(SEALED_TEXT, (quoted) => `"${reseal(quoted.slice(1, -1))}"`);
      if (next !== definition) await updateDefinition.run(tx, { id, definition: next });
    }
  }
  return texts;
}
