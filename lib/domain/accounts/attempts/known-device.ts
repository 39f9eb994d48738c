import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { seal, unseal } from "#lib/platform/secrets/seal";
import { uuidv7 } from "#lib/support/ids";

/** A device belongs to no workspace. */
const OWNER = "00000000-0000-0000-0000-000000000000";
const CONTEXT = "known_device";
/** People who share a browser. The cookie stays small. */
const MAX_PEOPLE = 5;

const deviceSchema = z.object({
  id: z.uuid(),
  expires_at: z.number(),
  people: z.array(z.object({ user_id: z.uuid(), epoch: z.number() })).max(MAX_PEOPLE),
});

/**
 * A browser in which people signed in. Strangers can use up the attempts at an account; a known device has its own, so
 * no one can lock another person out.
 */
export type KnownDevice = z.output<typeof deviceSchema>;

/** Returns the device that a cookie names, or null for a new browser. */
export function openDevice(cookie: string | undefined): KnownDevice | null {
  if (cookie === undefined || cookie.length > 4_000) return null;
  try {
    const device = deviceSchema.parse(unseal(OWNER, CONTEXT, Buffer.from(cookie, "base64url")));
    return device.expires_at > Date.now() ? device : null;
  } catch {
    return null;
  }
}

/** Returns the cookie of a device after a person signed in on it. */
export function sealDevice(device: KnownDevice | null, userId: string, epoch: number): string {
  const others = device?.people.filter((person) => person.user_id !== userId) ?? [];
  const people = [{ user_id: userId, epoch }, ...others].slice(0, MAX_PEOPLE);
  const expires_at = Date.now() + LIMITS.knownDeviceDays * 86_400_000;
  return seal(OWNER, CONTEXT, { id: device?.id ?? uuidv7(), expires_at, people }).toString("base64url");
}

/**
 * Returns the name under which the attempts of this device at an account are counted, or null for a device that never
 * signed in to it. A changed password and "Sign out everywhere" make every device unknown.
 */
export function deviceSubject(device: KnownDevice | null, userId: string, epoch: number): string | null {
  const isKnown = device?.people.some((person) => person.user_id === userId && person.epoch === epoch);
  return device && isKnown ? `${device.id}:${userId}` : null;
}
