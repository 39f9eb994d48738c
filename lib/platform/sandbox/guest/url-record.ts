/** The parts of a URL (URL standard, URL record). `path` is a text when it is opaque, as in `mailto:a@b`. */
export interface UrlRecord {
  scheme: string;
  username: string;
  password: string;
  host: string | null;
  port: number | null;
  path: string[] | string;
  query: string | null;
  fragment: string | null;
}

const DEFAULT_PORTS: ReadonlyMap<string, number | null> = new Map([
  ["ftp", 21],
  ["file", null],
  ["http", 80],
  ["https", 443],
  ["ws", 80],
  ["wss", 443],
]);

export function newUrlRecord(): UrlRecord {
  return { scheme: "", username: "", password: "", host: null, port: null, path: [], query: null, fragment: null };
}

export function isSpecialScheme(scheme: string): boolean {
  return DEFAULT_PORTS.has(scheme);
}

export function defaultPort(scheme: string): number | null {
  return DEFAULT_PORTS.get(scheme) ?? null;
}

export function hasCredentials(url: UrlRecord): boolean {
  return url.username !== "" || url.password !== "";
}

/** True for what can hold neither credentials nor a port. */
export function cannotHaveCredentials(url: UrlRecord): boolean {
  return url.host === null || url.host === "" || url.scheme === "file";
}

export function isDriveLetter(text: string): boolean {
  return /^[a-z][:|]$/i.test(text);
}

/** Drops the last segment, but never the drive of a file URL. */
export function shortenPath(url: UrlRecord): void {
  if (typeof url.path === "string") return;
  if (url.scheme === "file" && url.path.length === 1 && /^[a-z]:$/i.test(url.path[0] ?? "")) return;
  url.path.pop();
}

export function pathOf(url: UrlRecord): string {
  return typeof url.path === "string" ? url.path : url.path.map((segment) => `/${segment}`).join("");
}

export function hostOf(url: UrlRecord): string {
  return `${url.host ?? ""}${url.port === null ? "" : `:${url.port}`}`;
}

export function hrefOf(url: UrlRecord): string {
  const { scheme, username, password, host, path, query, fragment } = url;
  let authority = "";
  if (host !== null) {
    const credentials = hasCredentials(url) ? `${username}${password === "" ? "" : `:${password}`}@` : "";
    authority = `//${credentials}${hostOf(url)}`;
  } else if (typeof path !== "string" && path.length > 1 && path[0] === "") {
    authority = "/.";
  }
  const search = query === null ? "" : `?${query}`;
  return `${scheme}:${authority}${pathOf(url)}${search}${fragment === null ? "" : `#${fragment}`}`;
}
