import { LIMITS } from "#lib/contract/limits";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { ProblemCode } from "#lib/contract/workflow/problem-codes";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { notUpstream, unknownName } from "#lib/core/graph/checks/check-references";
import { createFix } from "#lib/core/graph/checks/create-fix";
import { describeDeadEnd } from "#lib/core/graph/checks/describe-dead-end";
import { fixValue } from "#lib/core/graph/checks/fix-text";
import { nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import { findNamedNode, type GraphIndex, loopIdsAround, readsAddress, upstreamIds } from "#lib/core/graph/edges";
import type { NodeShapes } from "#lib/core/graph/node-shapes";
import { readPath } from "#lib/core/shapes/read-path";
import type { Shape } from "#lib/core/shapes/shape";
import { placeInField } from "#lib/core/steps/code/place-in-field";
import { type ProgramField, programOf } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { checkCodeNames, longNumber } from "#lib/domain/workflows/checks/check-code-names";
import { JSONATA_ALIASES, JSONATA_FUNCTIONS } from "#lib/domain/workflows/checks/jsonata-functions";
import { findSyntaxError, type SyntaxProblem } from "#lib/domain/workflows/checks/parse-code";
import { type NamedStep, readJsonata } from "#lib/domain/workflows/checks/read-jsonata";
import { weighProgram } from "#lib/domain/workflows/checks/weigh-program";
import { findAlias } from "#lib/support/find-alias";
import { isJsonObject } from "#lib/support/json";
import { listSuggestions, quoteName } from "#lib/support/list-suggestions";

/**
 * Checks the programs of a definition: the syntax of code and of JSONata, the variables and inputs that code reads, and the
 * steps that JSONata names. Programs
 * beyond the limit are not parsed, because parsing blocks the process.
 */
export function checkPrograms(index: GraphIndex, shapes: NodeShapes): GraphProblem[] {
  return listPrograms(index.definition).flatMap(({ node, field, language, source }) => {
    if (language === "typescript") return codeProblems(index, node, source);
    const read = readJsonata(source);
    if ("names" in read) {
      return [
        ...read.longNumbers.map(({ digits, position }) => roundedNumber(node, source, digits, position)),
        ...wholeInput(node, read.whole),
        ...checkNames(index, shapes, node, read.names),
        ...unknownVariables(index, node, source, read.unknownVariables),
      ];
    }
    const { message, position } = read.problem;
    const meant = mendJsonata(source);
    const words = meant === null ? message : `${message}; did you mean ${quoteName(meant)}?`;
    const fix = meant === null ? null : fixValue(node, field, () => meant);
    const problems = syntaxProblems(node, field, { message: words, ...placeOf(source, position) });
    return problems.map((problem) => (fix === null ? problem : { ...problem, fix }));
  });
}

function codeProblems(index: GraphIndex, node: GraphNode, source: string): GraphProblem[] {
  const found = findSyntaxError(source);
  if (found !== null) return syntaxProblems(node, "source", found);
  return [...checkCodeNames(index, node, source), ...checkCodeTemplates(index, node, source)];
}

interface Program extends ProgramField {
  node: GraphNode;
  source: string;
}

function listPrograms({ nodes }: Definition): Program[] {
  let left: number = LIMITS.checkedProgramCharacters;
  return nodes.flatMap((node): Program[] => {
    const kind = STEP_KINDS[node.type];
    const source = programOf(kind, node.data);
    if (kind.program === null || source === null || source === "") return [];
    left -= weighProgram(source);
    return left < 0 ? [] : [{ ...kind.program, node, source }];
  });
}

function syntaxProblems(node: GraphNode, field: string, found: SyntaxProblem | null): GraphProblem[] {
  if (found === null) return [];
  const { message, line, column } = found;
  const problem = nodeProblem(node, "SYNTAX_ERROR", `${placeInField(field, found)}${message}`, field);
  return [{ ...problem, line, ...(column === null ? {} : { column }) }];
}

/** @param position the number of characters up to the end of the wrong part */
function placeOf(source: string, position: number | null) {
  const before = source.slice(0, position ?? 0).split("\n");
  return { line: before.length, column: position === null ? null : Math.max(1, (before.at(-1) ?? "").length) };
}

function roundedNumber(node: GraphNode, source: string, digits: string, end: number): GraphProblem {
  const { line, column } = placeOf(source, end - digits.length + 1);
  return longNumber(node, "jsonata", { digits, line, column: column ?? 1 });
}

/** The journal keeps the input of a step, so that an expression gets only the steps that it names. */
function wholeInput(node: GraphNode, whole: string | null): GraphProblem[] {
  if (whole === null) return [];
  const message = `${whole} in jsonata reads all steps, but an expression sees only the steps that it names. Name each one, as in [step_a.total, step_b.total]`;
  return [nodeProblem(node, "WHOLE_INPUT", message, "jsonata")];
}

/** A variable that nothing declares is nothing, and so is what is read from it. */
function unknownVariables(
  index: GraphIndex,
  node: GraphNode,
  source: string,
  names: readonly string[],
): GraphProblem[] {
  if (names.length === 0) return [];
  const visible = [...upstreamIds(index, node.id)].map((id) => (id === index.entry?.id ? index.entry.type : id));
  return names.map((name) => {
    const step = visible.find((id) => id === name);
    const isCalled = new RegExp(`\\$${escaped(name)}\\s{0,9}\\(`).test(source);
    const { words, certain } = listSuggestions(name, isCalled ? JSONATA_FUNCTIONS : []);
    const known = certain ?? (isCalled ? findAlias(JSONATA_ALIASES, name, JSONATA_FUNCTIONS) : null);
    const meant = step ?? (known === null ? null : `$${known}`);
    const otherwise = isCalled ? words : "; a step is named without $, as in step_id.field";
    const advice = meant === null ? otherwise : `; did you mean ${quoteName(meant)}?`;
    const message = `$${name} in jsonata does not exist${advice}`;
    const problem = nodeProblem(node, "UNDEFINED_VARIABLE", message, "jsonata");
    const pattern = new RegExp(`\\$${escaped(name)}(?![\\w$])`, "g");
    const fix = meant === null ? null : fixValue(node, "jsonata", () => source.replace(pattern, () => meant));
    return fix === null ? problem : { ...problem, fix };
  });
}

/** A variable can have any sign that is no operator. */
function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function checkNames(
  index: GraphIndex,
  shapes: NodeShapes,
  node: GraphNode,
  names: readonly NamedStep[],
): GraphProblem[] {
  if (names.length === 0) return [];
  const visible = upstreamIds(index, node.id);
  const loopIds = loopIdsAround(index, node);
  const reported = new Set<string>();
  return names.flatMap(({ name, path }) => {
    const source = [name, ...path].join(".");
    if (reported.has(source)) return [];
    reported.add(source);
    const problem = (code: ProblemCode, message: string) => [
      nodeProblem(node, code, `${source} in jsonata ${message}`, "jsonata"),
    ];
    const named = findNamedNode(index, name);
    if (named === null) {
      const { message, instead } = unknownName({ name, path }, { index, shapes, visible, loopIds: [...loopIds] });
      const words = message.replaceAll("{{", "").replaceAll("}}", "");
      const fix =
        instead === null ? null : fixValue(node, "jsonata", (text) => String(text).replaceAll(source, instead));
      return problem("UNKNOWN_REFERENCE", words).map((found) => (fix === null ? found : { ...found, fix }));
    }
    if (!visible.has(named.id) && !readsAddress(named, path, loopIds)) {
      return problem("REFERENCE_NOT_UPSTREAM", notUpstream(named));
    }
    // Inside its body, a list step provides its item instead of its output.
    if (shapes.ofItem(named) !== null) return [];
    const result = readMapped(shapes.ofNode(named), path);
    const found = result === null ? null : describeDeadEnd(index, named, { name, path }, result, shapes);
    return found === null || found.isWarning ? [] : problem(found.code, found.message);
  });
}

/** JSONata reads a field of a list from each of its items; then the check ends. */
function readMapped(shape: Shape, path: readonly string[]) {
  const result = readPath(shape, path);
  if (result.kind === "found") return null;
  return result.of.kind === "array" || result.of.kind === "union" ? null : result;
}

/** What people write from other languages, and what JSONata has instead. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\{\{\s{0,9}([^{}]{1,300}?)\s{0,9}\}\}/g, "$1"],
  [/!==/g, "!="],
  [/===?/g, "="],
  [/&&/g, " and "],
  [/\|\|/g, " or "],
];

/** Returns the expression that another language's spelling means; null if what results does not parse either. */
function mendJsonata(source: string): string | null {
  const replaced = REPLACEMENTS.reduce((text, [pattern, by]) => text.replace(pattern, by), source);
  const mended = replaced
    .replaceAll("  and ", " and ")
    .replaceAll(" and  ", " and ")
    .replaceAll("  or ", " or ")
    .replaceAll(" or  ", " or ");
  return mended !== source && "names" in readJsonata(mended) ? mended : null;
}

const EXPRESSION = /\{\{\s{0,9}([A-Za-z_]\w{0,63})((?:\.\w{1,64}){1,9})\s{0,9}\}\}/g;

/** Warns about expressions in the source of a code step, where nothing fills them in. The first one is reported. */
function checkCodeTemplates(index: GraphIndex, node: GraphNode, source: string): GraphProblem[] {
  if (!source.includes("{{")) return [];
  const visible = upstreamIds(index, node.id);
  for (const { 0: written, 1: name = "", 2: path = "", index: at } of source.matchAll(EXPRESSION)) {
    const named = findNamedNode(index, name);
    if (named === null || !visible.has(named.id)) continue;
    const key = path.split(".").at(-1) ?? name;
    const before = source.slice(0, at).split("\n");
    const place = { line: before.length, column: (before.at(-1) ?? "").length + 1 };
    const message = `${written} stays as it is, because code is no template. Pass it in input, and read input.${key}`;
    const problem = nodeWarning(node, "FOREIGN_PLACEHOLDER", `${placeInField("source", place)}${message}`, "source");
    const fix = passed(node, source, { written, at, key });
    return [{ ...problem, ...place, ...(fix === null ? {} : { fix }) }];
  }
  return [];
}

/** Replaces a text in quotes that is nothing but the expression; null for another one. */
function passed(node: GraphNode, source: string, { written, at, key }: { written: string; at: number; key: string }) {
  const [open = "", close = ""] = [source[at - 1], source[at + written.length]];
  const input = isJsonObject(node.data.input) ? node.data.input : {};
  if (open !== close || !/["'`]/.test(open) || Object.hasOwn(input, key)) return null;
  const text = `${source.slice(0, at - 1)}input.${key}${source.slice(at + written.length + 1)}`;
  return createFix(node, { input: { [key]: written }, source: text });
}
