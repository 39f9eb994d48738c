import { parseUrl, parseUrlPart } from "#lib/platform/sandbox/guest/parse-url";
import { ENCODE, percentEncode } from "#lib/platform/sandbox/guest/percent-encoding";
import {
  cannotHaveCredentials,
  hostOf,
  hrefOf,
  isSpecialScheme,
  pathOf,
  type UrlRecord,
} from "#lib/platform/sandbox/guest/url-record";
import { URLSearchParams } from "#lib/platform/sandbox/guest/url-search-params";

/** `URL` as the URL standard has it. */
export class URL {
  #url: UrlRecord;
  readonly searchParams: URLSearchParams;

  constructor(url: string | URL, base?: string | URL) {
    this.#url = resolve(url, base);
    this.searchParams = URLSearchParams.ofUrl(this.#url.query ?? "", (query) => {
      this.#url.query = query === "" ? null : query;
    });
  }

  static canParse(url: string | URL, base?: string | URL): boolean {
    return URL.parse(url, base) !== null;
  }

  static parse(url: string | URL, base?: string | URL): URL | null {
    try {
      return new URL(url, base);
    } catch {
      return null;
    }
  }

  get href(): string {
    return hrefOf(this.#url);
  }
  set href(value: string) {
    this.#url = resolve(value);
    this.#renewParams();
  }

  get origin(): string {
    const { scheme, path } = this.#url;
    if (scheme === "blob") {
      const inner = parseUrl(String(path), null);
      return inner && /^https?$/.test(inner.scheme) ? `${inner.scheme}://${hostOf(inner)}` : "null";
    }
    return isSpecialScheme(scheme) && scheme !== "file" ? `${scheme}://${hostOf(this.#url)}` : "null";
  }

  get protocol(): string {
    return `${this.#url.scheme}:`;
  }
  set protocol(value: string) {
    parseUrlPart(`${value}:`, this.#url, "schemeStart");
  }

  get username(): string {
    return this.#url.username;
  }
  set username(value: string) {
    if (!cannotHaveCredentials(this.#url)) this.#url.username = percentEncode(String(value), ENCODE.userinfo);
  }

  get password(): string {
    return this.#url.password;
  }
  set password(value: string) {
    if (!cannotHaveCredentials(this.#url)) this.#url.password = percentEncode(String(value), ENCODE.userinfo);
  }

  get host(): string {
    return hostOf(this.#url);
  }
  set host(value: string) {
    if (typeof this.#url.path !== "string") parseUrlPart(String(value), this.#url, "host");
  }

  get hostname(): string {
    return this.#url.host ?? "";
  }
  set hostname(value: string) {
    if (typeof this.#url.path !== "string") parseUrlPart(String(value), this.#url, "hostname");
  }

  get port(): string {
    return String(this.#url.port ?? "");
  }
  set port(value: string) {
    if (cannotHaveCredentials(this.#url)) return;
    if (String(value) === "") this.#url.port = null;
    else parseUrlPart(String(value), this.#url, "port");
  }

  get pathname(): string {
    return pathOf(this.#url);
  }
  set pathname(value: string) {
    if (typeof this.#url.path === "string") return;
    this.#url.path = [];
    parseUrlPart(String(value), this.#url, "pathStart");
  }

  get search(): string {
    return this.#url.query ? `?${this.#url.query}` : "";
  }
  set search(value: string) {
    const text = String(value).replace(/^\?/, "");
    this.#url.query = String(value) === "" ? null : "";
    if (this.#url.query !== null) parseUrlPart(text, this.#url, "query");
    this.#renewParams();
  }

  get hash(): string {
    return this.#url.fragment ? `#${this.#url.fragment}` : "";
  }
  set hash(value: string) {
    const text = String(value).replace(/^#/, "");
    this.#url.fragment = String(value) === "" ? null : "";
    if (this.#url.fragment !== null) parseUrlPart(text, this.#url, "fragment");
  }

  toString(): string {
    return this.href;
  }

  toJSON(): string {
    return this.href;
  }

  #renewParams(): void {
    URLSearchParams.renew(this.searchParams, this.#url.query ?? "");
  }
}

function resolve(url: string | URL, base?: string | URL): UrlRecord {
  const baseRecord = base === undefined ? null : parseUrl(String(base), null);
  const record = base !== undefined && !baseRecord ? null : parseUrl(String(url), baseRecord);
  if (!record) throw new TypeError(`Invalid URL: ${String(url).slice(0, 200)}`);
  return record;
}
