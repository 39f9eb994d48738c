/** The order of ASCII in CLDR's root collation. A letter in lowercase is before the same one in uppercase. */
const ASCII = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";
/** Letters that CLDR sorts as others with a stroke through them, or as two. */
const STROKES: Readonly<Record<string, string>> = { ø: "o", Ø: "O", ł: "l", Ł: "L", đ: "d", Đ: "D", ё: "е", Ё: "Е" };
const PAIRS: Readonly<Record<string, string>> = { ß: "ss", ẞ: "SS", æ: "ae", Æ: "AE", œ: "oe", Œ: "OE" };
/** The order of accents; others come first. */
const MARKS = "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0338\u0327\u0328\u0304";
/** As in ø, which Unicode does not decompose. */
const STROKE = "\u0338";
const HAS_PAIR = /[ßẞæÆœŒ]/;
const HAS_MARK = /[\u0300-\u036f]/;
/** What is a part of the letter before it, or two letters. */
const IS_SPECIAL = /[\u0300-\u036fßẞæÆœŒ]/;
const OTHER_SCRIPTS = 1_000;

interface Letter {
  /** Its place in the alphabet, without accents and case. */
  place: number;
  /** Its accent; 0 if it has none. */
  mark: number;
  /** 1 in uppercase. */
  capital: number;
  isSpecial: boolean;
}

const letters = new Map<number, Letter>();

/**
 * Compares two texts as CLDR's root collation does for Latin letters, so as English and most European languages do: by
 * letters, then by accents, then by case. Other scripts follow in the order of their code points.
 * @returns -1, 0, or 1
 */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const at = findDifference(left, right);
  // Most texts differ first in a letter. A sort compares many, and reading all of them takes ten times as long.
  const [one, other] = [placeAt(left, at), placeAt(right, at)];
  if (one !== null && other !== null && one !== other) return one < other ? -1 : 1;
  // An accent after a letter belongs to it.
  const start = Math.max(0, at - 1);
  return compareLetters(compose(left.slice(start)), compose(right.slice(start)));
}

/** Returns the first position at which two texts differ. The interpreter compares halves faster than characters. */
function findDifference(left: string, right: string): number {
  let [start, end] = [0, Math.min(left.length, right.length)];
  while (start < end) {
    const middle = Math.ceil((start + end) / 2);
    if (left.slice(start, middle) === right.slice(start, middle)) start = middle;
    else end = middle - 1;
  }
  return start;
}

/** Returns the place of a character, -1 at the end of the text; null for one that is no letter by itself. */
function placeAt(text: string, at: number): number | null {
  if (at >= text.length) return -1;
  const letter = letterOf(text.charCodeAt(at));
  return letter.isSpecial ? null : letter.place;
}

function compareLetters(left: string, right: string): number {
  const [a, b] = [spell(left), spell(right)];
  const length = Math.min(a.length, b.length);
  let [byMark, byCase] = [0, 0];
  for (let at = 0; at < length; at += 1) {
    const [p, q] = [letterOf(a.charCodeAt(at)), letterOf(b.charCodeAt(at))];
    if (p === q) continue;
    if (p.place !== q.place) return p.place < q.place ? -1 : 1;
    if (byMark === 0) byMark = p.mark - q.mark;
    if (byCase === 0) byCase = p.capital - q.capital;
  }
  return Math.sign(a.length - b.length || byMark || byCase || Number(left > right) - Number(left < right)) || 0;
}

/** One letter can be one character, or one with its accent after it. */
function compose(text: string): string {
  return HAS_MARK.test(text) ? text.normalize("NFC") : text;
}

function spell(text: string): string {
  return HAS_PAIR.test(text) ? text.replace(/[ßẞæÆœŒ]/g, (letter) => PAIRS[letter] ?? letter) : text;
}

function letterOf(code: number): Letter {
  const known = letters.get(code);
  if (known) return known;
  const letter = readLetter(String.fromCharCode(code));
  letters.set(code, letter);
  return letter;
}

function readLetter(character: string): Letter {
  const [base = "", mark = STROKE] = character.normalize("NFD");
  const plain = STROKES[character] ?? (/[A-Za-z]/.test(base) ? base : character);
  const lower = plain.toLowerCase();
  const inAscii = ASCII.indexOf(lower);
  return {
    place: inAscii >= 0 ? inAscii : OTHER_SCRIPTS + lower.charCodeAt(0),
    mark: plain === character ? 0 : MARKS.indexOf(mark) + 2,
    capital: lower === plain ? 0 : 1,
    isSpecial: IS_SPECIAL.test(character),
  };
}
