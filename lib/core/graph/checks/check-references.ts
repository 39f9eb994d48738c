import { LIMITS } from "#lib/contract/limits";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { ProblemCode } from "#lib/contract/workflow/problem-codes";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import type { Expression, Reference } from "#lib/core/expressions/expression";
import { checkCalls } from "#lib/core/expressions/functions/check-call";
import { findFunction } from "#lib/core/expressions/functions/expression-functions";
import { findFunctionAlias } from "#lib/core/expressions/functions/find-function-alias";
import { rewriteExpression } from "#lib/core/expressions/rewrite-paths";
import { scanTemplate, type TemplateError } from "#lib/core/expressions/scan-template";
import { writePath } from "#lib/core/expressions/write-expression";
import { type CertainSteps, createCertainSteps } from "#lib/core/graph/certain-steps";
import { describeAbsence } from "#lib/core/graph/checks/describe-absence";
import { type DeadEndProblem, describeDeadEnd } from "#lib/core/graph/checks/describe-dead-end";
import { fixText, fixValue } from "#lib/core/graph/checks/fix-text";
import { type GraphMemory, type ReadTemplate, recall } from "#lib/core/graph/checks/graph-memory";
import { listTemplates } from "#lib/core/graph/checks/list-templates";
import { adviceForName } from "#lib/core/graph/checks/meant/advice-for-name";
import { guessReference, type Sight } from "#lib/core/graph/checks/meant/guess-reference";
import { mendForeign } from "#lib/core/graph/checks/meant/mend-foreign";
import { isError, MAX_PROBLEMS, nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import { ADDRESS_FIELD, findNamedNode, type GraphIndex, loopIdsAround, readsAddress } from "#lib/core/graph/edges";
import type { GraphOperation } from "#lib/core/graph/edits/graph-operations";
import type { NodeShapes } from "#lib/core/graph/node-shapes";
import { nodeLabel } from "#lib/core/steps/node-data";
import { returnOutputKind } from "#lib/core/steps/return-output/return-output-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { formatNumber } from "#lib/support/format/format-number";
import { getPath } from "#lib/support/get-path";
import { listSuggestions } from "#lib/support/list-suggestions";

/**
 * Checks that every expression is well formed, refers to a node that runs before its own, and reads only fields that its
 * output can have (decisions, The graph document).
 */
export function checkReferences(
  index: GraphIndex,
  upstream: ReadonlyMap<string, Set<string>>,
  { templates }: GraphMemory,
  shapes: NodeShapes,
): GraphProblem[] {
  if (hasTooMany(index)) return [tooManyExpressions()];
  const certain = createCertainSteps(index);
  let left = MAX_PROBLEMS;
  const counted = (found: GraphProblem[]) => {
    left -= found.filter(isError).length;
    return found;
  };
  return index.definition.nodes.flatMap((node) => {
    const placeOf = placesOf(index, node, upstream.get(node.id) ?? new Set(), certain);
    return recall(templates, node, readTemplates).flatMap(({ field, isOfBody, parts, errors }) => {
      const place = placeOf(isOfBody);
      const problems = counted(
        errors.map((error) => invalidExpression(node, field, error, sightOf(index, place, shapes))),
      );
      const told = new Set<string>();
      for (const part of parts) {
        // More errors are not shown, and it takes milliseconds to find out which name was meant.
        if (left <= 0) break;
        if (typeof part === "string" || told.has(part.source)) continue;
        told.add(part.source);
        // A rule can ask whether a value exists, code can handle null, and expressions side by side take what the branch
        // before them produced.
        const expectsAbsent = isInRules(node, field) || isPassedAsIs(node, field, parts) || areAlternatives(parts);
        problems.push(
          ...counted(
            checkExpression(node, field, part, (path) => checkReference(index, path, place, shapes, expectsAbsent)),
          ),
        );
      }
      return problems;
    });
  });
}

function sightOf(index: GraphIndex, { visible, loops }: Place, shapes: NodeShapes): Sight {
  return { index, shapes, visible, loopIds: loops };
}

/** Describes braces that do not start an expression; if they are one of another engine, with the one that is meant. */
function invalidExpression(node: GraphNode, field: string, error: TemplateError, sight: Sight): GraphProblem {
  const { source, message } = error;
  const meant = mendForeign(sight, source);
  const advice = meant === null ? ". Write \\{{ for literal braces." : `; did you mean ${meant}?`;
  const words = `${source} in ${field} is not a valid expression: ${message}${advice}`;
  const problem = nodeProblem(node, "INVALID_EXPRESSION", words, field);
  if (meant === null) return problem;
  const fix = fixValue(node, field, (value) =>
    typeof value === "string" ? value.replaceAll(source, () => meant) : value,
  );
  return fix === null ? problem : { ...problem, fix };
}

/** Checks the calls of an expression, and each path that it reads. */
function checkExpression(
  node: GraphNode,
  field: string,
  expression: Expression,
  check: (reference: Reference) => DeadEndProblem | null,
): GraphProblem[] {
  const { root, references, source } = expression;
  const shown = source.length > 80 ? `${source.slice(0, 79)}…` : source;
  const calls = checkCalls(root).map((message) => {
    const problem = nodeProblem(node, "INVALID_EXPRESSION", `${shown} in ${field} ${message}`, field);
    const mended = renameCalls(source);
    const fix = mended === source ? null : fixText(node, field, source, mended);
    return fix === null ? problem : { ...problem, fix };
  });
  const paths = references.flatMap((reference): GraphProblem[] => {
    const problem = check(reference);
    if (problem === null) return [];
    const create = problem.isWarning ? nodeWarning : nodeProblem;
    const which = references.length === 1 ? "" : `: ${writePath(reference.name, reference.path)}`;
    const found = create(node, problem.code, `${shown} in ${field}${which} ${problem.message}`, field);
    const { instead } = problem;
    const mend = (path: string) => {
      const mended = rewriteExpression(expression, (other, written) => (other === reference ? path : written));
      return fixText(node, field, source, mended);
    };
    const isAbsent = problem.code === "MAY_BE_EMPTY";
    const fix = instead !== null ? mend(instead) : isAbsent ? fixAbsence(node, field) : null;
    return [fix === null ? found : { ...found, fix }];
  });
  return [...calls, ...paths];
}

/** Writes the functions of other languages by their names here. A text in quotes is left as it is. */
function renameCalls(source: string): string {
  return source.replace(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b([A-Za-z_]\w{0,63})(?=\s{0,9}\()/g,
    (written, name?: string) =>
      name === undefined || findFunction(name) !== null ? written : (findFunctionAlias(name) ?? written),
  );
}

/** Counts what looks like an expression before anything is parsed. */
function hasTooMany({ definition }: GraphIndex): boolean {
  let left: number = LIMITS.expressions;
  for (const node of definition.nodes) {
    for (const { text } of listTemplates(node)) {
      for (let at = text.indexOf("{{"); at !== -1; at = text.indexOf("{{", at + 2)) left -= 1;
      if (left < 0) return true;
    }
  }
  return false;
}

function tooManyExpressions(): GraphProblem {
  const message = `A workflow can have at most ${formatNumber(LIMITS.expressions)} expressions. Move part of it into a sub-workflow.`;
  return { severity: "error", code: "TOO_MANY_EXPRESSIONS", message };
}

function readTemplates(node: GraphNode): ReadTemplate[] {
  return listTemplates(node).map(({ text, ...place }) => ({ ...place, ...scanTemplate(text) }));
}

/** What an expression can refer to from its position. */
interface Place {
  visible: ReadonlySet<string>;
  /** The steps that provide the current item at this position. */
  loopIds: ReadonlySet<string>;
  /** The same steps, the innermost first. */
  loops: readonly string[];
  /** True if a visible step has completed whenever this position is reached. */
  isCertain: (other: GraphNode) => boolean;
  /** True if a visible step has failed whenever this position is reached. */
  isCertainlyFailed: (other: GraphNode) => boolean;
}

/** A node can have many thousand templates, so each of its two places is derived once. */
function placesOf(
  index: GraphIndex,
  node: GraphNode,
  before: ReadonlySet<string>,
  certain: CertainSteps,
): (isOfBody: boolean) => Place {
  const places = new Map<boolean, Place>();
  return (isOfBody) =>
    recallPlace(places, isOfBody, () => ({
      visible: isOfBody ? withBody(index, node, before) : before,
      loopIds: isOfBody ? loopIdsAround(index, node).add(node.id) : loopIdsAround(index, node),
      loops: [...(isOfBody ? [node.id] : []), ...loopIdsAround(index, node)],
      isCertain: (other) =>
        other === node ||
        (isOfBody && other.parentId === node.id
          ? certain.isCertainInBody(other.id)
          : certain.isCertain(node.id, other.id)),
      isCertainlyFailed: (other) => certain.isCertainlyFailed(node.id, other.id),
    }));
}

function recallPlace(places: Map<boolean, Place>, isOfBody: boolean, derive: () => Place): Place {
  const place = places.get(isOfBody) ?? derive();
  places.set(isOfBody, place);
  return place;
}

/** At the end of an iteration, a loop sees itself and the nodes of its body. */
function withBody(index: GraphIndex, loop: GraphNode, before: ReadonlySet<string>): ReadonlySet<string> {
  const body = index.definition.nodes.filter((node) => node.parentId === loop.id);
  return new Set([...before, loop.id, ...body.map((node) => node.id)]);
}

function checkReference(
  index: GraphIndex,
  expression: Reference,
  place: Place,
  shapes: NodeShapes,
  expectsAbsent: boolean,
): DeadEndProblem | null {
  const { visible, loopIds, isCertain, isCertainlyFailed } = place;
  const named = findNamedNode(index, expression.name);
  if (!named) return unknownName(expression, sightOf(index, place, shapes));
  const isAddress = readsAddress(named, expression.path, loopIds);
  if (!visible.has(named.id) && !isAddress) {
    return error("REFERENCE_NOT_UPSTREAM", notUpstream(named));
  }
  const [first] = expression.path;
  const itemFields = shapes.ofItem(named)?.fields;
  const misplaced =
    itemFields && first !== undefined
      ? checkItemField(named, String(first), [...itemFields.keys()], loopIds.has(named.id))
      : null;
  if (misplaced) return misplaced;
  const result = shapes.read(expression);
  if (result !== null && result.kind !== "found") return describeDeadEnd(index, named, expression, result, shapes);
  if (result === null || isAddress || expectsAbsent || expression.hasFallback) return null;
  const isPresent = isCertain(named) || (first === "error" && isCertainlyFailed(named));
  return describeAbsence(index, named, expression, shapes, isPresent);
}

/** Describes a reference to a step that runs later, as the end of a sentence. */
export function notUpstream(named: GraphNode): string {
  const problem = "refers to a step that does not run before this one";
  if (!STEP_KINDS[named.type].hasAddress) return problem;
  const inside = named.parentId === undefined ? "" : ", and only inside its loop";
  return `${problem}; until it runs, only its ${ADDRESS_FIELD} can be read${inside}`;
}

function error(code: ProblemCode, message: string): DeadEndProblem {
  return { code, message, isWarning: false, instead: null };
}

/** Suggests steps that run before this one; the entry is named by its type. */
export function unknownName({ name, path }: Pick<Reference, "name" | "path">, sight: Sight): DeadEndProblem {
  const { index, visible } = sight;
  const names = [...visible].map((id) => (id === index.entry?.id ? index.entry.type : id));
  const { words, certain } = listSuggestions(name, names);
  const guess = certain === null ? guessReference(sight, name, path) : null;
  const advice = guess === null ? (adviceForName(name) ?? words) : `; did you mean {{${guess}}}?`;
  const message = `refers to "${name}", which does not exist${advice}`;
  return {
    ...error("UNKNOWN_REFERENCE", message),
    instead: guess ?? (certain === null ? null : writePath(certain, path)),
  };
}

/**
 * Checks access to a step that works through a list. It provides the item and its index while it does, and its output
 * afterwards (decisions, The graph document).
 */
function checkItemField(
  node: GraphNode,
  field: string,
  fields: readonly string[],
  isInside: boolean,
): DeadEndProblem | null {
  if (isInside === fields.includes(field)) return null;
  const message = isInside
    ? `reads "${field}", but inside ${nodeLabel(node)} only ${fields.join(" and ")} are available`
    : `reads "${field}", which is only available inside ${nodeLabel(node)}`;
  return error("UNKNOWN_LOOP_FIELD", message);
}

/** Returns true for a field of a rule, at any of the places where the kind has rules. */
function isInRules({ type }: GraphNode, field: string): boolean {
  const keys = field.split(".");
  return STEP_KINDS[type].ruleLists.some((list) =>
    list.split(".").every((wanted, at) => wanted === "*" || wanted === keys[at]),
  );
}

/** Returns true for a value that a program of the author's own receives with its type: null is null there. */
function isPassedAsIs({ type }: GraphNode, field: string, parts: ReadTemplate["parts"]): boolean {
  const isArgument = STEP_KINDS[type].programInputs.some((name) => field === name || field.startsWith(`${name}.`));
  return isArgument && parts.length === 1;
}

function areAlternatives(parts: ReadTemplate["parts"]): boolean {
  return parts.length > 1 && parts.every((part) => typeof part !== "string");
}

const OUTPUT_VALUE = /^properties\.\d+\.value$/;

/**
 * Returns the operation that lets an output property be null, if it is required and its value may be absent: with a null
 * there, a run fails at its last step, after all its effects. Null for every other field.
 */
function fixAbsence(node: GraphNode, field: string): GraphOperation | null {
  if (node.type !== returnOutputKind.type || !OUTPUT_VALUE.test(field)) return null;
  const required = field.replace(/value$/, "required");
  return getPath(node.data, required.split(".")) === true ? fixValue(node, required, () => false) : null;
}
