import type { SpecificApiErrorReason } from "#lib/contract/error/error-reasons";

/** The conclusions that the rest of the code may draw from a fault. */
interface FaultMeaning {
  /** The same statement may succeed in a moment: retry it if that is safe. */
  isTransient: boolean;
  /** No statement gets through at the moment: the reason of the 503 that the caller gets. */
  unavailable?: SpecificApiErrorReason;
}

const OURS: FaultMeaning = { isTransient: false };
const PASSING: FaultMeaning = { isTransient: true };
const away = (unavailable: SpecificApiErrorReason): FaultMeaning => ({ isTransient: true, unavailable });

const FAULTS = {
  unique_violation: OURS,
  integrity_violation: OURS,
  invalid_text: OURS,
  invalid_data: OURS,
  undefined_table: OURS,
  invalid_definition: OURS,
  invalid_statement: OURS,
  lock_not_available: PASSING,
  deadlock: PASSING,
  serialization_failure: PASSING,
  query_canceled: PASSING,
  disk_full: PASSING,
  authentication_failed: PASSING,
  access_refused: PASSING,
  connection_failed: PASSING,
  other: PASSING,
  unreachable: away("database_unreachable"),
  connection_lost: away("database_unreachable"),
  query_timeout: away("database_timeout"),
  pool_exhausted: away("database_overloaded"),
  too_many_connections: away("database_overloaded"),
  shutting_down: away("database_restarting"),
  read_only: away("database_restarting"),
} as const satisfies Record<string, FaultMeaning>;
export type DatabaseFault = keyof typeof FAULTS;

/**
 * SQLSTATEs of PostgreSQL, error codes of Node's sockets, and Prisma's replacements for both: its codes, and the kinds
 * of its driver adapter, which are all that a raw query gets.
 */
const FAULT_BY_CODE = new Map<string, DatabaseFault>(
  Object.entries({
    "22021": "invalid_text",
    "22P02": "invalid_text",
    "22P05": "invalid_text",
    "23505": "unique_violation",
    "25006": "read_only",
    "28000": "access_refused",
    "28P01": "authentication_failed",
    "40001": "serialization_failure",
    "40P01": "deadlock",
    "42P01": "undefined_table",
    "42P13": "invalid_definition",
    "53100": "disk_full",
    "53300": "too_many_connections",
    "55P03": "lock_not_available",
    "57014": "query_canceled",
    "57P01": "shutting_down",
    "57P02": "shutting_down",
    "57P03": "shutting_down",
    EADDRNOTAVAIL: "unreachable",
    EAI_AGAIN: "unreachable",
    ECONNREFUSED: "unreachable",
    EHOSTUNREACH: "unreachable",
    EMFILE: "unreachable",
    ENETUNREACH: "unreachable",
    ENOTFOUND: "unreachable",
    ETIMEDOUT: "unreachable",
    ECONNABORTED: "connection_lost",
    ECONNRESET: "connection_lost",
    EPIPE: "connection_lost",
    P1000: "authentication_failed",
    P1001: "unreachable",
    P1002: "unreachable",
    P1008: "query_timeout",
    P1011: "connection_failed",
    P1017: "connection_lost",
    P2002: "unique_violation",
    P2003: "integrity_violation",
    P2004: "integrity_violation",
    P2007: "invalid_text",
    P2011: "integrity_violation",
    P2021: "undefined_table",
    P2024: "pool_exhausted",
    P2028: "query_timeout",
    P2034: "serialization_failure",
    P2037: "too_many_connections",
    ConnectionClosed: "connection_lost",
    DatabaseNotReachable: "unreachable",
    SocketTimeout: "unreachable",
    TlsConnectionError: "connection_failed",
  }),
);

/** The other SQLSTATEs of a class; a class that is not listed is "other". */
const FAULT_BY_CLASS = new Map<string, DatabaseFault>(
  Object.entries({
    "08": "connection_lost",
    "22": "invalid_data",
    "23": "integrity_violation",
    "42": "invalid_statement",
  }),
);

/** pg, and prepareSession(), give these errors no code. The test provokes each of them, so it fails when a driver rewords one. */
const FAULT_BY_MESSAGE = new Map<string, DatabaseFault>(
  Object.entries({
    "Query read timeout": "query_timeout",
    "The database server accepts no writes": "read_only",
    "timeout exceeded when trying to connect": "pool_exhausted",
    "timeout expired": "unreachable",
    "Connection terminated due to connection timeout": "unreachable",
    "Connection terminated": "connection_lost",
    "Connection terminated unexpectedly": "connection_lost",
    "Client has encountered a connection error and is not queryable": "connection_lost",
    "Client was closed and is not queryable": "connection_lost",
    "The server does not support SSL connections": "connection_failed",
    "There was an error establishing an SSL connection": "connection_failed",
  }),
);

/** A class starts with a digit or is one of PostgreSQL's own. Prisma's codes, also five characters, start differently. */
const SQLSTATE = /^(?:\d[0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/;

/** What Node calls a failed handshake, a certificate that it refuses and a socket that is closed. */
const CONNECTION_CODE =
  /^(?:EPROTO$|ERR_(?:SSL|TLS|SOCKET|STREAM)_)|(?:^|_)(?:CERT|CRL|ISSUER|CA|LEAF|HOSTNAME|PURPOSE)(?:_|$)/;
/** Node puts one of these into every socket error, even into those that are not listed here. */
const SOCKET_CALLS = new Set(["connect", "getaddrinfo", "read", "shutdown", "write"]);

export interface ClassifiedDatabaseError {
  fault: DatabaseFault;
  /** Null if PostgreSQL itself did not answer. */
  sqlState: string | null;
  /** The name of the constraint that the statement violated. */
  constraint: string | null;
}

/**
 * Classifies an error between us and the database: the one place that reads SQLSTATEs, socket codes, Prisma's codes and
 * the driver's messages.
 * @returns null if the error is not the database's
 */
export function classifyDatabaseError(thrown: unknown): ClassifiedDatabaseError | null {
  const error = readDriverError(thrown);
  const sqlState = error.code !== null && SQLSTATE.test(error.code) ? error.code : null;
  const fault = sqlState === null ? faultOfDriver(error) : faultOfState(sqlState);
  return fault === undefined ? null : { fault, sqlState, constraint: error.constraint };
}

function faultOfState(sqlState: string): DatabaseFault {
  return FAULT_BY_CODE.get(sqlState) ?? FAULT_BY_CLASS.get(sqlState.slice(0, 2)) ?? "other";
}

function faultOfDriver({ code, message, systemCall }: DriverError): DatabaseFault | undefined {
  if (code === null) return FAULT_BY_MESSAGE.get(message);
  const isOfConnection = CONNECTION_CODE.test(code) || (systemCall !== null && SOCKET_CALLS.has(systemCall));
  return FAULT_BY_CODE.get(code) ?? (isOfConnection ? "connection_failed" : undefined);
}

/** The faults of a server that another one may not have. */
const AWAY: ReadonlySet<DatabaseFault> = new Set([
  ...(["unreachable", "connection_lost", "connection_failed"] as const),
  ...(["query_timeout", "shutting_down", "read_only"] as const),
]);

/** Whether another server of the same database should be tried: this one is away, or accepts no writes. */
export function isServerAway(thrown: unknown): boolean {
  const error = classifyDatabaseError(thrown);
  return error !== null && AWAY.has(error.fault);
}

const CONNECT_TIMEOUTS: ReadonlySet<unknown> = new Set([
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Connection terminated due to connection timeout",
]);

/** Whether a connection was not made in time. That says nothing about the server: this machine may be busy. */
export function isConnectTimeout(thrown: unknown): boolean {
  return CONNECT_TIMEOUTS.has(readDriverError(thrown).message);
}

export function isDatabaseFault(thrown: unknown, fault: DatabaseFault): boolean {
  return classifyDatabaseError(thrown)?.fault === fault;
}

/** Whether the database may answer differently in a moment. Wrong data and wrong statements do not change. */
export function isTransientDatabaseError(thrown: unknown): boolean {
  const error = classifyDatabaseError(thrown);
  return error !== null && meaningOf(error).isTransient;
}

/** Why the database can't be used at the moment, as the reason of a 503; null for every other error. */
export function findUnavailableReason(thrown: unknown): SpecificApiErrorReason | null {
  const error = classifyDatabaseError(thrown);
  return error === null ? null : (meaningOf(error).unavailable ?? null);
}

function meaningOf({ fault }: ClassifiedDatabaseError): FaultMeaning {
  return FAULTS[fault];
}

/** Whether PostgreSQL itself refused the statement: it answered, and the statement had no effect. */
export function wasRefused(thrown: unknown): boolean {
  return (classifyDatabaseError(thrown)?.sqlState ?? null) !== null;
}

interface DriverError {
  code: string | null;
  constraint: string | null;
  message: string;
  systemCall: string | null;
}

/** Returns pg's error itself, or the one inside Prisma's, whose own code says less. */
function readDriverError(thrown: unknown): DriverError {
  const error = asObject(thrown);
  const cause = asObject(asObject(asObject(error.meta).driverAdapterError).cause);
  return {
    code: asText(cause.originalCode) ?? asText(cause.kind) ?? asText(error.code) ?? asText(error.errorCode),
    constraint: asText(asObject(cause.constraint).index) ?? asText(error.constraint),
    message: asText(error.message) ?? "",
    systemCall: asText(error.syscall),
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function asText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
