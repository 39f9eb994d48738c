import { env } from "#lib/platform/config/env";

export interface EncryptionKeys {
  /** The id of the first key, which encrypts. */
  currentId: string;
  /** The 32-byte master keys by id; all of them decrypt. */
  masters: ReadonlyMap<string, Buffer>;
}

const ENTRY = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?)$/;

/**
 * Parses `id:base64,id:base64`, 32 bytes each (decisions, Size limits). To rotate, put a new key first and keep the old
 * ones until nothing sealed with them is left.
 * @throws Error naming the entry, never its key
 */
export function parseEncryptionKeys(text: string): EncryptionKeys {
  const masters = new Map<string, Buffer>();
  for (const [position, entry] of text.split(",").entries()) {
    const [, id, base64] = ENTRY.exec(entry.trim()) ?? [];
    if (id === undefined || base64 === undefined) {
      throw new Error(`ENCRYPTION_KEYS: entry ${position + 1} must be an id, a colon and 32 bytes in base64`);
    }
    if (masters.has(id)) throw new Error(`ENCRYPTION_KEYS: the id "${id}" is used twice`);
    masters.set(id, Buffer.from(base64, "base64"));
  }
  const [currentId = ""] = masters.keys();
  return { currentId, masters };
}

let parsed: EncryptionKeys | undefined;

/**
 * Returns the keys of this process, read once.
 * @throws Error when ENCRYPTION_KEYS cannot be used
 */
export function encryptionKeys(): EncryptionKeys {
  parsed ??= parseEncryptionKeys(env().ENCRYPTION_KEYS);
  return parsed;
}
