import type { WrittenPlace } from "#lib/contract/action/field-places";
import { evaluateExpression } from "#lib/core/expressions/evaluate-expression";
import type { ExpressionNode } from "#lib/core/expressions/expression";
import { findFunction } from "#lib/core/expressions/functions/expression-functions";
import { refusePiece } from "#lib/core/expressions/places/piece";
import {
  assertScheme,
  endUrl,
  isUrlStart,
  startUrl,
  type UrlWriting,
  writeUrl,
  writeUrlValue,
} from "#lib/core/expressions/places/url-writer";
import type { Template } from "#lib/core/expressions/scan-template";
import { spendCharacters, type TemplateBudget, writeText } from "#lib/core/expressions/template-budget";

/**
 * Resolves a text that is a URL. Each value is written for its place, so that it can end neither its segment of the path
 * nor its parameter, nor lead to another host (RFC 3986, 2.2). The value at the start is the address itself, as in
 * `{{base}}/orders/{{id}}`. A value that `encode_url` returns is not encoded again, and one of `raw` is written as it is.
 * @param field the field of the URL, for errors
 * @throws StepError VALIDATION_ERROR naming the expression whose value its place can't hold
 */
export function resolveUrl(
  { parts }: Template,
  scope: Record<string, unknown>,
  budget: TemplateBudget,
  field: string,
): string {
  const writing = startUrl(field, { isLink: false });
  let missing: string | null = null;
  for (const [at, part] of parts.entries()) {
    if (typeof part === "string") {
      spendCharacters(budget, part.length);
      writeUrl(writing, part);
      continue;
    }
    const [before, after] = [parts[at - 1], parts[at + 1]];
    const [isAfterValue, isBeforeValue] = [before, after].map((side) => side !== undefined && typeof side !== "string");
    const next = typeof after === "string" ? after : "";
    const { root, source } = part;
    const value = evaluateExpression(root, scope, budget);
    const written = findWritten(root, "url");
    const isAddress = isUrlStart(writing);
    const isAsWritten = isAddress || written === "raw";
    if (isAddress && written !== "raw") assertScheme(field, { value, source }, next);
    if (isAsWritten) {
      writeAsGiven(writing, { source, text: writeText(value, budget), hasMore: () => hasText(parts, at + 1) });
    } else {
      const around = { isAfterValue: isAfterValue === true, isBeforeValue: isBeforeValue === true, next };
      writeUrlValue(writing, { value, source, isEncoded: written === "encoded", ...around }, budget);
    }
    // Expressions side by side take what the branch before them produced: one of them has a value.
    const isAbsent = (value === null || value === undefined) && writing.place === "path" && !isAsWritten;
    missing = isAbsent && (!isAfterValue || missing !== null) ? (missing ?? source) : null;
    if (missing !== null && !isBeforeValue) {
      throw refusePiece(field, missing, "has no value, and a URL path needs one");
    }
  }
  endUrl(writing);
  return writing.url;
}

interface GivenValue {
  source: string;
  text: string;
  /** Returns true if anything follows. */
  hasMore: () => boolean;
}

/** Writes a value that is the address, or that its author takes as it is. What follows must still reach the server. */
function writeAsGiven(writing: UrlWriting, { source, text, hasMore }: GivenValue): void {
  const before = writing.place;
  writeUrl(writing, text);
  if (before === "fragment" || writing.place !== "fragment" || !hasMore()) return;
  throw refusePiece(writing.field, source, "has a fragment (#), so what follows it would not be sent");
}

function hasText(parts: Template["parts"], from: number): boolean {
  return parts.some((part, at) => at >= from && (typeof part !== "string" || part.trim() !== ""));
}

/** `encoded` for a value that a function has encoded for the place, `raw` for one that its author takes as it is. */
type Written = "encoded" | "raw";

/**
 * Returns how the author wrote the result of an expression for the place: with a function that encodes for it, or with
 * `raw`. A constant next to `??` is the author's own text. Null if the place decides.
 */
function findWritten(node: ExpressionNode, place: WrittenPlace): Written | null {
  if (node.kind === "fallback") return joinWritten(node.operands, place);
  if (node.kind !== "call" || node.path.length > 0) return null;
  if (node.name === "default") return joinWritten(node.args, place);
  if (findFunction(node.name)?.writesFor?.includes(place) !== true) return null;
  return node.name === "raw" ? "raw" : "encoded";
}

function joinWritten(nodes: readonly ExpressionNode[], place: WrittenPlace): Written | null {
  const each = nodes.filter(({ kind }) => kind !== "literal").map((node) => findWritten(node, place));
  if (each.length === 0 || each.includes(null)) return null;
  return each.includes("raw") ? "raw" : "encoded";
}
