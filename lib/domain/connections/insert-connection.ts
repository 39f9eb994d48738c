import { CONNECTION_STATUSES } from "#lib/contract/connection";
import { sealCredentials } from "#lib/domain/connections/credentials/stored-credentials";
import type { TriedCredentials } from "#lib/domain/connections/try-credentials";
import { bytea, enumOf, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const insertRow = defineStatement({
  name: "create_connection",
  params: {
    id: uuid,
    workspaceId: uuid,
    connector: text,
    name: text,
    status: enumOf(CONNECTION_STATUSES),
    lastError: nullable(text),
    sealed: bytea,
    userId: uuid,
  },
  sql: `insert into connections (id, workspace_id, connector, name, status, last_error, credentials_sealed, created_by)
        values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (workspace_id, connector, name) do nothing`,
  isPrepared: false,
});

interface NewConnection {
  id: string;
  workspaceId: string;
  userId: string;
  connector: string;
  name: string;
}

/** Writes a connection with the credentials that were tried. @returns false when its name is taken */
export async function insertConnection(tx: Db, connection: NewConnection, tried: TriedCredentials): Promise<boolean> {
  return (await insertRow.run(tx, { ...connection, ...columnsOfTried(connection, tried) })) === 1;
}

/** The columns of a connection that a test of its credentials decides. */
export function columnsOfTried(
  connection: { workspaceId: string; id: string },
  { outcome, message, status, credentials }: TriedCredentials,
) {
  return {
    status: status ?? ("connected" as const),
    lastError: outcome === "failed" ? message : null,
    sealed: sealCredentials(connection, credentials),
  };
}
