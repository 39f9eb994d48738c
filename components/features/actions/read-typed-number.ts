import { readNumber } from "#lib/support/numbers/read-number";

/** "1,234" is a thousand to some readers and a little more than one to others. */
const AMBIGUOUS = /^-?[1-9]\d{0,2},\d{3}$/;

/**
 * Reads a number that a person typed, also with a decimal comma, which is the only one on many keyboards of phones.
 * @returns null if it isn't a number, or could be two different ones
 */
export function readTypedNumber(text: string): number | null {
  const typed = text.trim();
  return AMBIGUOUS.test(typed) ? null : readNumber(typed.replace(",", "."));
}
