import { randomBytes } from "node:crypto";

/**
 * Creates a UUIDv7 (RFC 9562, 5.7): 48 bits of Unix milliseconds followed by random bits, so that ids sort by creation
 * time.
 * @param nowMs the time in the id; passed by callers whose id must match a stored timestamp
 */
export function uuidv7(nowMs: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Matches any UUID that PostgreSQL prints or reads. Text that does not match never reaches a uuid column. */
export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
