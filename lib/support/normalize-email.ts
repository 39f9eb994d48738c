/** One address shape for every place that takes an e-mail: plain ASCII on both sides of exactly one @. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const MAX_CHARACTERS = 254;

/**
 * The form in which an address is stored and looked up: NFKC and lower case; null when it is not an address.
 * The raw text must hold the @ itself: NFKC would make one of its full-width look-alikes, and two systems that
 * normalise in a different order would then read two different domains.
 */
export function normalizeEmail(raw: string): string | null {
  const trimmed = raw.trim();
  if (trimmed.length > MAX_CHARACTERS || trimmed.split("@").length !== 2) return null;
  const email = trimmed.normalize("NFKC").toLowerCase();
  return email.length <= MAX_CHARACTERS && EMAIL.test(email) ? email : null;
}
