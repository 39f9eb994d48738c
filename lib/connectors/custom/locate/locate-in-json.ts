import type { Wanted } from "#lib/connectors/custom/locate/locate-pointers";

const SPACE = /[\s]*/y;
const SCALAR = /[^\s,\]}]*/y;
const STRUCTURE = /["[\]{}]/g;

/** Finds the keys and elements that are wanted in a JSON text. A text that is not valid JSON ends the search. */
export function locateInJson(text: string, root: Wanted): void {
  new JsonScan(text).value(root);
}

class JsonScan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads a value; parts that are not wanted are skipped. */
  value(wanted: Wanted | undefined): void {
    this.#match(SPACE);
    const first = this.#text[this.#at];
    if (first === '"') this.#string();
    else if (first !== "{" && first !== "[") this.#match(SCALAR);
    else if (wanted === undefined || wanted.parts.size === 0) this.#skip();
    else this.#entries(wanted, first === "[" ? 0 : null);
  }

  /** @param first the index of the first element, or null in an object */
  #entries(wanted: Wanted, first: number | null): void {
    for (let index = first; ; index = index === null ? null : index + 1) {
      this.#at += 1;
      this.#match(SPACE);
      const keyAt = this.#at;
      const char = this.#text[keyAt];
      if (char === undefined || char === "}" || char === "]") break;
      const part = wanted.parts.get(index === null ? this.#key() : String(index));
      if (part) part.at ??= keyAt;
      this.value(part);
      this.#match(SPACE);
      if (this.#text[this.#at] !== ",") break;
    }
    this.#at += 1;
  }

  #key(): string {
    const start = this.#at;
    this.#string();
    const raw = this.#text.slice(start, this.#at);
    this.#match(SPACE);
    // The colon.
    this.#at += 1;
    try {
      return String(JSON.parse(raw));
    } catch {
      return raw;
    }
  }

  #skip(): void {
    let depth = 0;
    STRUCTURE.lastIndex = this.#at;
    for (let found = STRUCTURE.exec(this.#text); found; found = STRUCTURE.exec(this.#text)) {
      this.#at = found.index;
      const [char] = found;
      if (char === '"') this.#string();
      else {
        this.#at += 1;
        depth += char === "{" || char === "[" ? 1 : -1;
      }
      if (depth === 0) return;
      STRUCTURE.lastIndex = this.#at;
    }
    this.#at = this.#text.length;
  }

  #string(): void {
    let end = this.#at;
    do end = this.#text.indexOf('"', end + 1);
    while (end >= 0 && isEscaped(this.#text, end));
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  #match(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    pattern.exec(this.#text);
    this.#at = Math.max(this.#at, pattern.lastIndex);
  }
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}
