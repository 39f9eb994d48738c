export const EXPIRIES = ["never", "30", "90", "365", "date"] as const;
export type Expiry = (typeof EXPIRIES)[number];

export const EXPIRY_LABELS: Record<Expiry, string> = {
  never: "Never",
  "30": "In 30 days",
  "90": "In 90 days",
  "365": "In one year",
  date: "On a date…",
};

const DAY_MS = 86_400_000;
const SOON_MS = 7 * DAY_MS;

/**
 * Returns when the key expires: null means never, undefined means that the date is missing or past. The chosen day is
 * included.
 */
export function expiresAtOf(expiry: Expiry, date: string, nowMs: number): string | null | undefined {
  if (expiry === "never") return null;
  if (expiry !== "date") return new Date(nowMs + Number(expiry) * DAY_MS).toISOString();
  const atMs = Date.parse(`${date}T23:59:59.000`);
  return Number.isNaN(atMs) || atMs <= nowMs ? undefined : new Date(atMs).toISOString();
}

/** Returns true in a key's last seven days. */
export function expiresSoon(expiresAt: string | null, nowMs: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) - nowMs < SOON_MS;
}
