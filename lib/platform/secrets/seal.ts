import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
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

/** Layout: version (1 byte), length of the key id (1), key id, iv (12), tag (16), ciphertext. */
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const CIPHER = "aes-256-gcm";

const derived = new Map<string, Buffer>();
const MAX_DERIVED = 1_000;

/** Returns the first bytes of a value that the current key sealed. */
export function currentPrefix(): Buffer<ArrayBuffer> {
  const keyId = Buffer.from(encryptionKeys().currentId, "latin1");
  return Buffer.concat([Buffer.from([VERSION, keyId.length]), keyId]);
}

/** Returns the id of the key that sealed the value, or null for a value that was never sealed. */
export function keyIdOf(sealed: Buffer): string | null {
  const end = 2 + (sealed[1] ?? 0);
  return sealed[0] === VERSION && sealed.length >= end + IV_BYTES + TAG_BYTES
    ? sealed.toString("latin1", 2, end)
    : null;
}

/** Derives the key of one workspace from a master key, so that no workspace's key opens another's secrets. */
function workspaceKey(keys: EncryptionKeys, keyId: string, workspaceId: string): Buffer {
  const master = keys.masters.get(keyId);
  if (!master) throw new Error(`Sealed with the key "${keyId}", which ENCRYPTION_KEYS does not hold.`);
  const name = `${keyId}|${workspaceId}`;
  const known = derived.get(name);
  if (known) return known;
  const key = Buffer.from(hkdfSync("sha256", master, workspaceId, "signalbox", KEY_BYTES));
  if (derived.size >= MAX_DERIVED) derived.clear();
  derived.set(name, key);
  return key;
}

function associatedData(workspaceId: string, context: string): Buffer {
  return Buffer.from(`v${VERSION}|${workspaceId}|${context}`, "utf8");
}

/**
 * Encrypts a JSON value for one place (decisions, Redaction: AES-256-GCM). It opens only for the same workspace and
 * context, so a sealed value moved to another row is refused.
 * @param context binds the value to its place; for columns, one of those in resealing/sealed-columns
 * @throws Error when the value is undefined
 */
export function seal(workspaceId: string, context: string, value: unknown): Buffer<ArrayBuffer> {
  const text = JSON.stringify(value);
  if (text === undefined) throw new Error("Only a JSON value can be sealed.");
  return sealJson(workspaceId, context, text);
}

/** Encrypts a value that is already JSON text, as `seal` would encrypt the value. */
export function sealJson(workspaceId: string, context: string, text: string): Buffer<ArrayBuffer> {
  const keys = encryptionKeys();
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, workspaceKey(keys, keys.currentId, workspaceId), iv);
  cipher.setAAD(associatedData(workspaceId, context));
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([currentPrefix(), iv, cipher.getAuthTag(), ciphertext]);
}

/**
 * Returns the value that `seal` encrypted.
 * @throws Error when the workspace, the context or a byte differs, or the key is no longer known
 */
export function unseal<T>(workspaceId: string, context: string, sealed: Uint8Array): T {
  return JSON.parse(unsealJson(workspaceId, context, sealed)) as T;
}

/** Returns the JSON text of the value, for callers that only pass it on. Throws as `unseal` does. */
export function unsealJson(workspaceId: string, context: string, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const keyId = keyIdOf(bytes);
  if (keyId === null) throw new Error("The value is not sealed, or it is truncated.");
  const ivStart = 2 + keyId.length;
  const tagStart = ivStart + IV_BYTES;
  const textStart = tagStart + TAG_BYTES;
  const key = workspaceKey(encryptionKeys(), keyId, workspaceId);
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(ivStart, tagStart), { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(workspaceId, context));
  decipher.setAuthTag(bytes.subarray(tagStart, textStart));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(textStart)), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new Error(
      `The sealed value does not open as "${context}": it was changed, moved or sealed with another key.`,
      {
        cause,
      },
    );
  }
}

/** Whether `unseal` would return the value. */
export function canUnseal(workspaceId: string, context: string, sealed: Uint8Array): boolean {
  try {
    unseal(workspaceId, context, sealed);
    return true;
  } catch {
    return false;
  }
}
