/** One PostgreSQL server, or a pooler in front of one. A host that starts with a slash is the folder of a socket. */
export interface DatabaseServer {
  host: string;
  port: number;
}

/** How the server is reached over TLS. The files are read when a connection is opened. */
export interface DatabaseTls {
  mode: "require" | "verify-ca" | "verify-full";
  /** The file of the CA, or `system` for the CAs of the operating system. */
  rootCertificate?: string;
  certificate?: string;
  key?: string;
  isDirect: boolean;
}

export interface DatabaseAddress {
  /** In the order in which they are tried. */
  servers: readonly [DatabaseServer, ...DatabaseServer[]];
  user: string | undefined;
  password: string | undefined;
  database: string | undefined;
  /** Null without TLS; undefined if the address says nothing about it. */
  tls: DatabaseTls | null | undefined;
  /** Settings of the session that the address contains, in the syntax of PostgreSQL's command line. */
  options: string;
  applicationName: string | undefined;
}

const URL_PARTS = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const DEFAULT_PORT = 5432;
/** Signalbox needs a server that accepts writes, so the first two mean the same. */
const SESSION_ATTRIBUTES = ["read-write", "primary", "any"];

/**
 * Parses a connection URI of PostgreSQL as its own library does: several hosts, and `sslmode` with its meaning there.
 * The parser of pg takes one host, and reads `require` as `verify-full`.
 * @throws Error saying what to change; the message contains no password
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const parts = URL_PARTS.exec(url);
  if (!parts) throw new Error("must look like postgres://user:password@host:5432/database");
  const [, login = "", hosts = "", path = "", query = ""] = parts;
  const parameters = new URLSearchParams(query);
  const colon = login.indexOf(":");
  const user = colon === -1 ? login : login.slice(0, colon);
  const password = colon === -1 ? "" : login.slice(colon + 1);
  const attributes = parameters.get("target_session_attrs");
  if (attributes !== null && !SESSION_ATTRIBUTES.includes(attributes)) {
    throw new Error("target_session_attrs: must be read-write, primary or any, because Signalbox writes");
  }
  return {
    servers: hosts === "" ? serversOfParameters(parameters) : serversOf(hosts.split(",")),
    user: decode(user) || parameters.get("user") || undefined,
    password: decode(password) || parameters.get("password") || undefined,
    database: decode(path) || parameters.get("dbname") || undefined,
    tls: readTls(parameters),
    options: parameters.get("options") ?? "",
    applicationName: parameters.get("application_name") || undefined,
  };
}

function serversOf(hosts: readonly string[]): DatabaseAddress["servers"] {
  const [first, ...others] = hosts.map((text): DatabaseServer => {
    const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(text) ?? [];
    if (host === "") throw new Error(`the host "${text}" is not valid`);
    return { host: decode(host.replace(/^\[(.*)\]$/, "$1")), port: portOf(port) };
  });
  return first ? [first, ...others] : [{ host: "localhost", port: DEFAULT_PORT }];
}

function serversOfParameters(parameters: URLSearchParams): DatabaseAddress["servers"] {
  const ports = parameters.get("port")?.split(",") ?? [];
  const hosts = (parameters.get("host") || "localhost").split(",");
  const [first, ...others] = hosts.map((host, index) => ({ host, port: portOf(ports[index] ?? ports[0]) }));
  return first ? [first, ...others] : [{ host: "localhost", port: DEFAULT_PORT }];
}

function portOf(text: string | undefined): number {
  const port = Number(text || DEFAULT_PORT);
  if (port >= 1 && port <= 65_535) return port;
  throw new Error(`the port ${text} is not valid`);
}

function readTls(parameters: URLSearchParams): DatabaseTls | null | undefined {
  const rootCertificate = parameters.get("sslrootcert") || undefined;
  const certificate = parameters.get("sslcert") || undefined;
  const key = parameters.get("sslkey") || undefined;
  const isDirect = parameters.get("sslnegotiation") === "direct";
  const mode = readMode(parameters);
  if (mode === "disable") return null;
  if (mode === undefined) {
    if (!rootCertificate && !certificate && !key && !isDirect) return undefined;
    throw new Error("sslmode: must be set with the other ssl parameters, for example sslmode=verify-full");
  }
  if (!certificate !== !key) throw new Error("sslcert and sslkey: must be set together");
  if (mode === "verify-ca" && !rootCertificate) {
    throw new Error("sslrootcert: must be the file of your CA with sslmode=verify-ca");
  }
  if (rootCertificate === "system" && mode !== "verify-full") {
    throw new Error("sslmode: must be verify-full with sslrootcert=system, because anyone can get such a certificate");
  }
  // PostgreSQL's library does the same: a CA that nothing is checked against would be a surprise.
  const effective = mode === "require" && rootCertificate ? "verify-ca" : mode;
  return { mode: effective, rootCertificate, certificate, key, isDirect };
}

function readMode(parameters: URLSearchParams): DatabaseTls["mode"] | "disable" | undefined {
  const given = parameters.get("sslmode") ?? (parameters.get("ssl") === "true" ? "verify-full" : null);
  if (given === null) return undefined;
  const mode = (["disable", "require", "verify-ca", "verify-full"] as const).find((one) => one === given);
  if (mode) return mode;
  throw new Error("sslmode: must be disable, require, verify-ca or verify-full");
}

/** A stray percent sign in a password is taken as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
