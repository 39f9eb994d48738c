import { losesDigits } from "#lib/support/exact-json";

/** A number as JSON writes it (RFC 8259, section 6), with the white space of JSON around it, as people copy it. */
const NUMBER = /^[ \t\r\n]*(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)[ \t\r\n]*$/;
/** A longer text has more digits than a double, or white space that no one means. */
const CHARACTERS_MAX = 400;

/**
 * Reads a text that someone else wrote as a number, if JSON allows it as one. `Number` would also read "0x10", "0b1",
 * "Infinity" and "", and round 9007199254740993.
 * @returns null for every other text, and for a number that would lose digits
 */
export function readNumber(text: string): number | null {
  const [, digits] = (text.length <= CHARACTERS_MAX && NUMBER.exec(text)) || [];
  return digits === undefined || losesDigits(digits) ? null : Number(digits);
}
