import { encodeBase64 } from "#lib/platform/sandbox/guest/base64";
import { randomBytes } from "#lib/platform/sandbox/guest/random";
import { concat, hmacSha256, sha256 } from "#lib/platform/sandbox/guest/sha256";
import { encodeUtf8 } from "#lib/platform/sandbox/guest/utf8";

type Data = string | Uint8Array;
type DigestForm = "hex" | "base64" | "base64url";

interface Hash {
  update(data: Data): Hash;
  digest(): Uint8Array;
  digest(form: DigestForm): string;
}

/**
 * The `crypto` of user code: `crypto.randomUUID()`, `crypto.getRandomValues(typedArray)`,
 * `crypto.createHash("sha256").update(textOrBytes).digest("hex" | "base64" | "base64url")`,
 * `crypto.createHmac("sha256", key).update(textOrBytes).digest("hex" | "base64" | "base64url")`; `digest()` returns the
 * bytes. Text is UTF-8.
 */
export const crypto = {
  randomUUID(): string {
    const bytes = randomBytes(16);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  },

  getRandomValues<T extends ArrayBufferView>(view: T): T {
    if (!ArrayBuffer.isView(view)) throw new TypeError("crypto.getRandomValues fills a typed array");
    if (view.byteLength > 65_536) throw new RangeError("crypto.getRandomValues fills at most 65536 bytes");
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(randomBytes(view.byteLength));
    return view;
  },

  createHash(algorithm: string): Hash {
    assertSha256(algorithm);
    return collect(sha256);
  },

  createHmac(algorithm: string, key: Data): Hash {
    assertSha256(algorithm);
    const keyBytes = bytesOf(key);
    return collect((message) => hmacSha256(keyBytes, message));
  },
};

function collect(digestOf: (message: Uint8Array) => Uint8Array): Hash {
  let message: Uint8Array = new Uint8Array();
  function digest(): Uint8Array;
  function digest(form: DigestForm): string;
  function digest(form?: DigestForm): Uint8Array | string {
    const bytes = digestOf(message);
    if (form === undefined) return bytes;
    if (form === "hex") return toHex(bytes);
    if (form === "base64" || form === "base64url") return encodeBase64(bytes, form);
    throw new TypeError(`digest gives "hex", "base64" or "base64url", not "${form}"`);
  }
  const hash: Hash = {
    update(data) {
      message = concat(message, bytesOf(data));
      return hash;
    },
    digest,
  };
  return hash;
}

function assertSha256(algorithm: string): void {
  if (/^sha-?256$/i.test(algorithm)) return;
  throw new TypeError(`"${algorithm}" is not available; "sha256" is`);
}

function bytesOf(data: Data): Uint8Array {
  if (typeof data === "string") return encodeUtf8(data);
  if (data instanceof Uint8Array) return data;
  throw new TypeError("Expected a string or a Uint8Array");
}

function toHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return hex;
}
