/** The type of a body as its sender declares it (RFC 9110, 8.3). */
export interface ContentType {
  /** In lower case, without parameters; empty if none is declared. */
  type: string;
  charset: string | null;
  boundary: string | null;
}

const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g;

/** Reads a Content-Type header, leniently. */
export function readContentType(header: string | null | undefined): ContentType {
  const text = header ?? "";
  const parameters = headerParameters(text);
  return {
    type: (text.split(/[;,]/, 1)[0] ?? "").trim().toLowerCase(),
    charset: parameters.get("charset")?.toLowerCase() || null,
    boundary: parameters.get("boundary") || null,
  };
}

/** Returns the parameters of a header by their names in lower case; the first of a name counts. */
export function headerParameters(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of header.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    // A browser of old wrote `C:\file.txt` without escaping it, so only what must be escaped is unescaped.
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(["\\])/g, "$1") ?? plain);
  }
  return found;
}

export function isJsonMediaType(type: string): boolean {
  return type === "application/json" || type === "text/json" || type.endsWith("+json");
}

/**
 * Decodes a text. UTF-8 comes first: many senders name another charset by habit (RFC 8259, 8.1).
 * @returns null if the bytes are in no charset that is known
 */
export function decodeInCharset(bytes: Uint8Array, charset: string | null): string | null {
  return decode(bytes, "utf-8") ?? (charset === null ? null : decode(bytes, charset));
}

/** @returns null for an unknown charset, and for bytes that are not in it */
export function decode(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
