import { RE2JS } from "re2js";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import { formatNumber } from "#lib/support/format/format-number";
import { sizedCache } from "#lib/support/sized-cache";

/** What an instruction of a compiled pattern takes, with the state of its matcher. The most measured is 151. */
const INSTRUCTION_BYTES = 200;
const cache = sizedCache<string, RE2JS>(LIMITS.patternCacheBytes);

/** What a step can still spend on patterns: their size times the length of the texts. */
export interface PatternBudget {
  work: number;
}

export function patternBudget(): PatternBudget {
  return { work: LIMITS.patternWork };
}

/**
 * Compiles a pattern in RE2 syntax, which runs in time linear to the text (decisions, The graph document): no
 * backreferences, no lookaround. A pattern whose repetitions unfold to too many instructions is refused before it is
 * compiled.
 * @throws StepError VALIDATION_ERROR explaining what is wrong with the pattern
 */
export function compilePattern(pattern: string): RE2JS {
  const known = cache.get(pattern);
  if (known) return known;
  if (pattern.length > LIMITS.patternCharacters) {
    throw new StepError(
      "VALIDATION_ERROR",
      `A pattern can have at most ${formatNumber(LIMITS.patternCharacters)} characters.`,
    );
  }
  const size = patternSize(pattern, LIMITS.patternSize);
  if (size > LIMITS.patternSize) throw new StepError("VALIDATION_ERROR", sizeProblem());
  const compiled = compile(pattern);
  cache.set(pattern, compiled, size * INSTRUCTION_BYTES);
  return compiled;
}

function sizeProblem(): string {
  const limit = formatNumber(LIMITS.patternSize);
  return `The pattern unfolds to more than ${limit} parts. Lower its counted repetitions such as {1000}, or use * or +.`;
}

/** Explains that the patterns of one document are too large together. */
export function patternsProblem(): string {
  const limit = formatNumber(LIMITS.definitionPatternSize);
  return `All patterns together unfold to more than ${limit} parts. Lower their counted repetitions such as {1000}.`;
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StepError("VALIDATION_ERROR", `The pattern is not valid: ${reason}`, { cause });
  }
}

/**
 * Returns true if the pattern matches anywhere in the text; `^` and `$` anchor it to the ends.
 * @throws StepError VALIDATION_ERROR if the pattern is invalid or the budget does not suffice for the text
 */
export function matchPattern(pattern: string, text: string, budget: PatternBudget = patternBudget()): boolean {
  const compiled = compilePattern(pattern);
  budget.work -= compiled.programSize() * text.length;
  if (budget.work < 0) {
    const limit = formatNumber(LIMITS.patternWork);
    throw new StepError(
      "data_too_large",
      `A text of ${text.length} characters is too long for this pattern: pattern size times text length can be at most ${limit} in a step.`,
    );
  }
  return compiled.matcher(text).find();
}

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
