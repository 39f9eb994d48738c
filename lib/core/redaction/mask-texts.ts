import { LIMITS } from "#lib/contract/limits";
import type { RunWarning } from "#lib/contract/run/journal";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { REDACTED } from "#lib/core/redaction/redact-text";
import { createReplacer, type Needle } from "#lib/core/redaction/replace-texts";
import { type CleanValues, cleanObject, cleanText, sanitize } from "#lib/core/redaction/sanitize";
import { setOwn } from "#lib/support/json";

/** A text with secrets, and the same text without them. */
export interface HiddenText {
  text: string;
  masked: string;
}

/**
 * Returns a copy of a JSON value without certain secrets, or the same reference if it contains none of them.
 * @param known what it returned for large values before
 */
export type Mask = <T>(value: T, known?: CleanValues) => T;

export const NO_MASK: Mask = (value) => value;

/** A shorter secret occurs in ordinary text. It is found together with the characters before it. */
const MIN_CHARACTERS = 6;
const CONTEXT_CHARACTERS = 16;
/** A longer secret is found in pieces, so that a text that was cut shows none of them. */
const PIECE_CHARACTERS = 64;

/** `api_key = 'value'`, `user:password`: the value alone is the secret, too. */
const ASSIGNED = /^[^\s:=]{1,100}\s{0,4}(?::|=>?)\s{0,4}["'\\]{0,4}(\S.*)$/s;

/**
 * Builds a mask for known secrets. It finds them in any text, as they are, inside JSON and inside a URL, because a step can
 * pass a secret on to the next one, and a service can repeat it in its response. A short secret counts only as a whole text
 * or after the characters that preceded it. Secrets that exceed LIMITS.maskedCharacters mask every text.
 */
export function createMask(hidden: readonly HiddenText[]): Mask {
  if (hidden.length === 0) return NO_MASK;
  const whole = new Map(hidden.map(({ text, masked }) => [text, masked]));
  const needles = listNeedles(hidden);
  if (needles === null) return (value) => mapTexts(value, () => REDACTED, undefined);
  const replace = createReplacer(needles, REDACTED);
  return (value, known) => mapTexts(value, (text) => whole.get(text) ?? replace(text), known);
}

/**
 * Masks the message of an error, and what a service answered. Its codes and names are fixed texts, and a secret could be
 * equal to one of them.
 */
export function maskError<E extends { message: string; body?: unknown }>(mask: Mask, error: E): E {
  const [message, body] = [mask(error.message), mask(error.body)];
  if (message === error.message && body === error.body) return error;
  return { ...error, message, ...(body === undefined ? {} : { body }) };
}

/** Masks the texts of a warning. The step's id is needed to find it. */
export function maskWarning(mask: Mask, { step_id, ...texts }: RunWarning): RunWarning {
  return { step_id, ...mask(texts) };
}

/**
 * Finds what a stored value hides beyond the rules of the journal: the secrets that another run masked when it passed the
 * value on.
 */
export function findHiddenTexts(shown: unknown, real: unknown): HiddenText[] {
  if (typeof shown === "string" && typeof real === "string") {
    return shown.includes(REDACTED) && sanitize(real) !== shown ? [{ text: real, masked: shown }] : [];
  }
  if (typeof shown !== "object" || shown === null || typeof real !== "object" || real === null) return [];
  const realEntries = new Map(Object.entries(real));
  return Object.entries(shown).flatMap(([key, item]) => findHiddenTexts(item, realEntries.get(key)));
}

/** @returns null if there are too many */
function listNeedles(hidden: readonly HiddenText[]): Needle[] | null {
  const needles = new Map<string, Needle>();
  let characters = 0;
  for (const secret of hidden.flatMap(secretsOf)) {
    for (const { text, length } of needlesOf(secret)) {
      const known = needles.get(text);
      characters += known ? 0 : text.length;
      if (characters > LIMITS.maskedCharacters) return null;
      needles.set(text, { text, length: Math.max(length, known?.length ?? 0) });
    }
  }
  return [...needles.values()];
}

function needlesOf({ before, secret }: Secret): Needle[] {
  const assigned = ASSIGNED.exec(secret)?.[1] ?? "";
  const context = secret.length < MIN_CHARACTERS ? before : "";
  return SPELLINGS.flatMap((spell) => [...pieces(spell(context), spell(secret)), ...pieces("", spell(assigned))]);
}

const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => encodeURIComponent(text.toWellFormed()),
];

function pieces(before: string, secret: string): Needle[] {
  if (before.length + secret.length < MIN_CHARACTERS) return [];
  if (secret.length <= PIECE_CHARACTERS) return [{ text: before + secret, length: secret.length }];
  const count = Math.ceil(secret.length / PIECE_CHARACTERS);
  return Array.from({ length: count }, (_, index) => {
    // The last piece overlaps the one before it.
    const from = Math.min(index * PIECE_CHARACTERS, secret.length - PIECE_CHARACTERS);
    return { text: secret.slice(from, from + PIECE_CHARACTERS), length: PIECE_CHARACTERS };
  });
}

interface Secret {
  /** The characters before it, up to an expression. */
  before: string;
  secret: string;
}

/** Finds the secrets of a text by comparing it with its masked form. */
function secretsOf({ text, masked }: HiddenText): Secret[] {
  const kept = masked.split(REDACTED);
  const secrets: Secret[] = [];
  let at = kept[0]?.length ?? 0;
  for (const [index, next] of kept.entries()) {
    if (index === 0) continue;
    const isLast = index === kept.length - 1;
    const found = isLast ? text.length - next.length : text.indexOf(next, at + 1);
    const end = found < at ? text.length : found;
    const secret = text.slice(at, end).trim();
    const before = text.slice(Math.max(0, at - CONTEXT_CHARACTERS), at);
    if (secret !== "" && secret !== REDACTED) secrets.push({ before: before.split("}}").at(-1) ?? "", secret });
    at = end + next.length;
  }
  return secrets;
}

type ChangeText = (text: string) => string;

function mapTexts<T>(value: T, change: ChangeText, known: CleanValues | undefined): T;
function mapTexts(value: unknown, change: ChangeText, known: CleanValues | undefined): unknown {
  if (typeof value === "string") return cleanText(known, value, change);
  if (typeof value !== "object" || value === null) return value;
  return cleanObject(known, value, 0, (object) => mapParts(object, change, known));
}

function mapParts(object: object, change: ChangeText, known: CleanValues | undefined): object {
  if (Array.isArray(object)) {
    const items = object.map((item) => mapTexts(item, change, known));
    return items.some((item, index) => item !== object[index]) ? items : object;
  }
  let copy: JsonObject | null = null;
  for (const [key, item] of Object.entries(object)) {
    const clean: unknown = mapTexts(item, change, known);
    if (clean === item) continue;
    copy ??= { ...object };
    setOwn(copy, key, clean);
  }
  return copy ?? object;
}
