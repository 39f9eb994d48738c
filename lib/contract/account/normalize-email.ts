/** The form of an email address, used everywhere: plain ASCII on both sides of exactly one @. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const MAX_CHARACTERS = 254;

/**
 * Returns the form in which an email address is stored and looked up: NFKC and lowercase; null if it is not an address.
 * The raw text must contain the @ itself, because NFKC would also create one from a full-width look-alike, and two
 * systems that normalize in a different order would then see two different domains.
 */
export function normalizeEmail(raw: string): string | null {
  const trimmed = raw.trim();
  if (trimmed.length > MAX_CHARACTERS || trimmed.split("@").length !== 2) return null;
  const email = trimmed.normalize("NFKC").toLowerCase();
  return email.length <= MAX_CHARACTERS && EMAIL.test(email) ? email : null;
}
