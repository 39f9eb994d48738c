import { classifyDatabaseError, type DatabaseFault } from "#lib/platform/db/classify-database-error";

const ADVICE_BY_FAULT: Partial<Record<DatabaseFault, string>> = {
  access_refused: "If the server requires TLS, set sslmode=verify-full in the address. Otherwise, check pg_hba.conf",
  authentication_failed: "Check the user and the password in the address",
  connection_failed: "Check TLS: ssl in the settings of the server, and sslmode in the address",
  read_only: "Use the address of the primary, or list all servers: postgres://user:password@first,second/database",
  too_many_connections: "Raise max_connections, lower DATABASE_POOL_SIZE, or use a transaction pooler",
};

const UNKNOWN_CA =
  "The CA of the server's certificate is unknown. Set sslrootcert in the address to the file of this CA";
/** Node's reasons for refusing a certificate. */
const ADVICE_BY_CODE = new Map<unknown, string>(
  Object.entries({
    CERT_HAS_EXPIRED: "Renew the server's certificate",
    CERT_SIGNATURE_FAILURE: UNKNOWN_CA,
    DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_CA,
    ERR_TLS_CERT_ALTNAME_INVALID: "Use a name from the server's certificate as the host in the address",
    SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CA,
    UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
  }),
);

/** Says why the database could not be reached and what to do, in one line without a password. */
export function explainConnectionError(thrown: unknown): string {
  const { code, message } = thrown as { code?: unknown; message?: string };
  const fault = classifyDatabaseError(thrown)?.fault;
  const advice = ADVICE_BY_CODE.get(code) ?? (fault && ADVICE_BY_FAULT[fault]);
  return [message || "the server cannot be reached", advice].filter((part) => part !== undefined).join(". ");
}
