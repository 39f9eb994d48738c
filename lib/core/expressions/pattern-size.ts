/** Reading a named Unicode class costs as much as 20 instructions: up to 1,400 ranges, 130 microseconds and 4 KB. */
const UNICODE_CLASS = 20;
/** A group, an alternative or a repetition adds at most two instructions of its own. */
const OWN = 2;

const COUNT = /\{(\d{1,9})(?:(,)(\d{0,9}))?\}/y;
const FLAGS = /\(\?[A-Za-z-]*\)/y;
const GROUP = /\(\?(?:P?<\w*>|[A-Za-z-]*:)/y;
const QUOTED = /\\Q([\s\S]*?)(?:\\E|$)/y;
const UNICODE = /\\[pP](?:\{[^}]*\}|[\s\S])/y;
const ESCAPE = /\\(?:x\{[^}]*\}|x[0-9A-Fa-f]{2}|[\s\S]?)/y;
const NAMED_CLASS = /\[:\^?\w+:\]/y;

interface Group {
  size: number;
  /** The size of the last atom: what a repetition after it repeats. */
  atom: number;
}

interface Scan {
  pattern: string;
  at: number;
  groups: Group[];
  /** What classes cost once, however often they are repeated: their copies share one table. */
  classes: number;
}

/**
 * Returns an upper bound of the number of instructions that a pattern in RE2 syntax compiles to, without compiling it.
 * A counted repetition counts as often as it repeats, so `(a{1000}){1000}` is a million. The scan reads each character
 * once and stops as soon as the size exceeds `maxSize`. An invalid pattern has a size, too.
 */
export function patternSize(pattern: string, maxSize: number): number {
  const scan: Scan = { pattern, at: 0, groups: [{ size: OWN, atom: 0 }], classes: 0 };
  while (scan.at < pattern.length) {
    readAtom(scan);
    if (sizeOf(scan) > maxSize) break;
  }
  return sizeOf(scan);
}

function sizeOf({ groups, classes }: Scan): number {
  return groups.reduce((sum, { size }) => sum + size, classes);
}

function readAtom(scan: Scan): void {
  switch (scan.pattern[scan.at]) {
    case "(":
      if (take(scan, FLAGS)) return;
      if (!take(scan, GROUP)) scan.at += 1;
      scan.groups.push({ size: 0, atom: 0 });
      return;
    case ")":
      scan.at += 1;
      closeGroup(scan);
      return;
    case "|":
      scan.at += 1;
      add(scan, OWN);
      return;
    case "*":
    case "+":
    case "?":
      scan.at += 1;
      repeat(scan, 1);
      return;
    case "{":
      readCount(scan);
      return;
    case "[":
      readClass(scan);
      return;
    case "\\":
      readEscape(scan);
      return;
    default:
      scan.at += 1;
      add(scan, 1);
  }
}

function take(scan: Scan, syntax: RegExp): RegExpExecArray | null {
  syntax.lastIndex = scan.at;
  const match = syntax.exec(scan.pattern);
  if (match) scan.at = syntax.lastIndex;
  return match;
}

function current({ groups }: Scan): Group {
  return groups.at(-1) ?? { size: 0, atom: 0 };
}

function add(scan: Scan, size: number): void {
  const group = current(scan);
  group.size += size;
  group.atom = size;
}

function closeGroup(scan: Scan): void {
  if (scan.groups.length === 1) return;
  const closed = scan.groups.pop();
  add(scan, (closed?.size ?? 0) + OWN);
}

/** `x{2,5}` compiles to two copies of x and three optional ones, which take an instruction more. */
function repeat(scan: Scan, count: number): void {
  const group = current(scan);
  const repeated = count === 1 ? group.atom + OWN : count * (group.atom + 1) + OWN;
  group.size += repeated - group.atom;
  group.atom = repeated;
}

function readCount(scan: Scan): void {
  const match = take(scan, COUNT);
  if (!match) {
    scan.at += 1;
    add(scan, 1);
    return;
  }
  const [, min, , max] = match;
  repeat(scan, Math.max(1, Number(max || min)));
}

/** Reads a class up to its bracket. Its members count once, and the class as one instruction wherever it is repeated. */
function readClass(scan: Scan): void {
  const { pattern } = scan;
  scan.at += pattern[scan.at + 1] === "^" ? 2 : 1;
  const first = scan.at;
  while (scan.at < pattern.length && (pattern[scan.at] !== "]" || scan.at === first)) {
    scan.classes += 1;
    if (take(scan, UNICODE)) scan.classes += UNICODE_CLASS;
    else if (!take(scan, NAMED_CLASS) && !take(scan, ESCAPE)) scan.at += 1;
  }
  scan.at += 1;
  add(scan, 1);
}

function readEscape(scan: Scan): void {
  const quoted = take(scan, QUOTED);
  if (quoted) {
    const length = quoted[1]?.length ?? 0;
    if (length > 1) add(scan, length - 1);
    if (length > 0) add(scan, 1);
    return;
  }
  if (take(scan, UNICODE)) scan.classes += UNICODE_CLASS;
  else take(scan, ESCAPE);
  add(scan, 1);
}
