/** One proof may be tried with each. */
const MAX_SECRETS = 4;

/**
 * Returns the secrets in the field of a trigger: the text as it is, without the spaces that were copied with it, and each
 * of its lines, so that a sender can change its secret while the old one is still in use. A key that has lines of its own
 * is one secret.
 */
export function listSecrets(text: string): string[] {
  return [...new Set([text, text.trim(), ...linesOf(text)])].filter((secret) => secret !== "").slice(0, MAX_SECRETS);
}

/** Returns the secret that is used where there can be only one: the first line. */
export function firstSecret(text: string): string {
  const [first = text, ...others] = linesOf(text);
  return others.length > 0 ? first : text;
}

function linesOf(text: string): string[] {
  if (/^\s*(?:\{|-----BEGIN)/.test(text)) return [];
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
