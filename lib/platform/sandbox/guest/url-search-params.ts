import { percentDecode } from "#lib/platform/sandbox/guest/percent-decode";

type Pair = [name: string, value: string];
type Init = string | Iterable<readonly [string, string]> | Record<string, string>;

/** The query of a URL as names and values (URL standard, section 6). */
export class URLSearchParams {
  #pairs: Pair[];
  #onChange: (query: string) => void = () => {};

  constructor(init: Init = "") {
    this.#pairs =
      typeof init === "object" && init !== null ? pairsOf(init) : parsePairs(String(init).replace(/^\?/, ""));
  }

  /** The parameters of a URL, which write changes back to it. */
  static ofUrl(query: string, onChange: (query: string) => void): URLSearchParams {
    const params = new URLSearchParams();
    params.#pairs = parsePairs(query);
    params.#onChange = onChange;
    return params;
  }

  /** Replaces the entries with those of the URL's new query. */
  static renew(params: URLSearchParams, query: string): void {
    params.#pairs = parsePairs(query);
  }

  get size(): number {
    return this.#pairs.length;
  }

  append(name: string, value: string): void {
    this.#change([...this.#pairs, [toText(name), toText(value)]]);
  }

  delete(name: string, value?: string): void {
    this.#change(this.#pairs.filter((pair) => !isMatch(pair, name, value)));
  }

  get(name: string): string | null {
    return this.#pairs.find((pair) => isMatch(pair, name))?.[1] ?? null;
  }

  getAll(name: string): string[] {
    return this.#pairs.filter((pair) => isMatch(pair, name)).map(([, value]) => value);
  }

  has(name: string, value?: string): boolean {
    return this.#pairs.some((pair) => isMatch(pair, name, value));
  }

  set(name: string, value: string): void {
    const first = this.#pairs.findIndex((pair) => isMatch(pair, name));
    const at = first < 0 ? this.#pairs.length : first;
    const pairs = this.#pairs.filter((pair, index) => index <= at || !isMatch(pair, name));
    pairs[at] = [toText(name), toText(value)];
    this.#change(pairs);
  }

  sort(): void {
    this.#change(this.#pairs.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))));
  }

  forEach(callback: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }

  *entries(): Generator<Pair> {
    for (let index = 0; index < this.#pairs.length; index += 1) {
      const pair = this.#pairs[index];
      if (pair) yield [...pair];
    }
  }

  *keys(): Generator<string> {
    for (const [name] of this) yield name;
  }

  *values(): Generator<string> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): Generator<Pair> {
    return this.entries();
  }

  toString(): string {
    return this.#pairs.map((pair) => pair.map(encodePart).join("=")).join("&");
  }

  #change(pairs: Pair[]): void {
    this.#pairs = pairs;
    this.#onChange(this.toString());
  }
}

function isMatch([name, value]: Pair, wantedName: string, wantedValue?: string): boolean {
  return name === toText(wantedName) && (wantedValue === undefined || value === toText(wantedValue));
}

function toText(value: unknown): string {
  return String(value).toWellFormed();
}

function pairsOf(init: Exclude<Init, string>): Pair[] {
  const entries = Symbol.iterator in init ? [...init] : Object.entries(init);
  return entries.map((entry) => {
    const pair = [...entry];
    if (pair.length !== 2) throw new TypeError("Each query pair must be a name and a value");
    return [toText(pair[0]), toText(pair[1])];
  });
}

function parsePairs(query: string): Pair[] {
  return query
    .toWellFormed()
    .split("&")
    .flatMap((part): Pair[] => {
      if (part === "") return [];
      const [name = "", ...rest] = part.split("=");
      return [[decodePart(name), decodePart(rest.join("="))]];
    });
}

function decodePart(text: string): string {
  return percentDecode(text.replaceAll("+", " "));
}

/** The form encoding of the URL standard keeps only `*-._`, letters and digits. */
function encodePart(text: string): string {
  const escaped = encodeURIComponent(text).replace(
    /[!'()~]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return escaped.replaceAll("%20", "+");
}
