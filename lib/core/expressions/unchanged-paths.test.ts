import { expect, test } from "vitest";
import { scanPaths } from "#lib/core/expressions/path-scanner.fixture";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { scanTemplate } from "#lib/core/expressions/scan-template";
import { toText } from "#lib/core/expressions/to-text";
import { getPath } from "#lib/support/get-path";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const ROUNDS = 30_000;
const NAMES = ["a", "b_1", "true", "null", "upper", "default", "x", "__proto__", "имя"] as const;
const SEGMENTS = [
  ".a",
  ".b",
  ".0",
  "[0]",
  "[1]",
  '["a"]',
  "['b']",
  '["x\\"y"]',
  " . a",
  "[ 0 ]",
  ".имя",
  ".$-",
  "",
] as const;
const TEXTS = [
  "",
  " ",
  "text",
  "\\{{",
  "{",
  "}",
  "}}",
  "{{",
  '"',
  "'",
  "1",
  ".",
  "[",
  "-",
  "\n",
  "\ud800",
  '{"x":',
] as const;

const random = seededRandom(20_261_123);
const many = (most: number, piece: () => string) => Array.from({ length: random.below(most) }, piece).join("");
const path = () => `{{${random.pick(["", " "])}${random.pick(NAMES)}${many(4, () => random.pick(SEGMENTS))}}}`;
const template = () => many(6, () => (random.next() < 0.6 ? path() : many(4, () => random.pick(TEXTS))));
const value = () => random.json(() => random.pick([null, true, 7, "text", "{{a}}"]));

/** Resolves a template as Signalbox did before expressions had functions. */
function resolveAsBefore(text: string, scope: Record<string, unknown>): unknown {
  if (!text.includes("{{")) return text;
  const read = ({ name, path: keys }: { name: string; path: (string | number)[] }) =>
    Object.hasOwn(scope, name) && name !== "__proto__" ? getPath(scope[name], keys) : null;
  const { parts } = scanPaths(text);
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return typeof first === "string" ? first : read(first);
  return parts.map((part) => (typeof part === "string" ? part : toText(read(part)))).join("");
}

test("templates of paths mean what they meant before expressions had functions, even broken ones", () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const text = template();
    const scope = Object.fromEntries(NAMES.map((name) => [name, value()]));
    const wanted = JSON.stringify(resolveAsBefore(text, scope));
    const found = JSON.stringify(resolveTemplate(text, scope));
    if (found !== wanted) expect(found, text).toBe(wanted);
    const before = scanPaths(text);
    const after = scanTemplate(text);
    expect(after.errors.map(({ source }) => source)).toEqual(before.errors.map(({ source }) => source));
    expect(after.parts.map((part) => (typeof part === "string" ? part : [part.source, part.root.kind]))).toEqual(
      before.parts.map((part) => (typeof part === "string" ? part : [part.source, "reference"])),
    );
  }
});
