import type { Definition, GraphNode } from "#lib/contract/graph";
import { LIMITS } from "#lib/contract/limits";
import type { ProblemCode } from "#lib/contract/schemas/problem-codes";
import type { GraphProblem } from "#lib/contract/workflow";
import { notUpstream } from "#lib/core/graph/checks/check-references";
import { describeDeadEnd } from "#lib/core/graph/checks/describe-dead-end";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import { findNamedNode, type GraphIndex, loopIdsAround, readsAddress, upstreamIds } from "#lib/core/graph/edges";
import type { NodeShapes } from "#lib/core/graph/node-shapes";
import { readPath } from "#lib/core/shapes/read-path";
import type { Shape } from "#lib/core/shapes/shape";
import { placeInField } from "#lib/core/steps/code/place-in-field";
import { checkCodeNames, longNumber } from "#lib/domain/workflows/checks/check-code-names";
import { findSyntaxError, type SyntaxProblem } from "#lib/domain/workflows/checks/parse-code";
import { type NamedStep, readJsonata } from "#lib/domain/workflows/checks/read-jsonata";
import { weighProgram } from "#lib/domain/workflows/checks/weigh-program";
import { listSuggestions } from "#lib/support/list-suggestions";

/**
 * Checks the programs of a definition: the syntax of code and of JSONata, the variables and inputs that code reads, and the
 * steps that JSONata names. Programs
 * beyond the limit are not parsed, because parsing blocks the process.
 */
export function checkPrograms(index: GraphIndex, shapes: NodeShapes): GraphProblem[] {
  return listPrograms(index.definition).flatMap(({ node, field, source }) => {
    if (field === "source") return codeProblems(index, node, source);
    const read = readJsonata(source);
    if ("names" in read) {
      return [
        ...read.longNumbers.map(({ digits, position }) => roundedNumber(node, source, digits, position)),
        ...wholeInput(node, read.whole),
        ...checkNames(index, shapes, node, read.names),
      ];
    }
    const { message, position } = read.problem;
    return syntaxProblems(node, field, { message, ...placeOf(source, position) });
  });
}

function codeProblems(index: GraphIndex, node: GraphNode, source: string): GraphProblem[] {
  const found = findSyntaxError(source);
  return found === null ? checkCodeNames(index, node, source) : syntaxProblems(node, "source", found);
}

interface Program {
  node: GraphNode;
  field: "source" | "jsonata";
  source: string;
}

function listPrograms({ nodes }: Definition): Program[] {
  let left: number = LIMITS.checkedProgramCharacters;
  return nodes.flatMap((node): Program[] => {
    const field = node.type === "code" ? "source" : node.type === "transform" ? "jsonata" : null;
    const source = field === null ? undefined : node.data[field];
    if (field === null || typeof source !== "string" || source === "") return [];
    left -= weighProgram(source);
    return left < 0 ? [] : [{ node, field, source }];
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

function checkNames(
  index: GraphIndex,
  shapes: NodeShapes,
  node: GraphNode,
  names: readonly NamedStep[],
): GraphProblem[] {
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
      const known = [...visible].map((id) => (id === index.entry?.id ? index.entry.type : id));
      const { words } = listSuggestions(name, known);
      return problem("UNKNOWN_REFERENCE", `refers to "${name}", which does not exist${words}`);
    }
    if (!visible.has(named.id) && !readsAddress(named, path, loopIds)) {
      return problem("REFERENCE_NOT_UPSTREAM", notUpstream(named));
    }
    // Inside its body, a list step provides its item instead of its output.
    if (shapes.ofItem(named) !== null) return [];
    const result = readMapped(shapes.ofNode(named), path);
    const found = result === null ? null : describeDeadEnd(index, named, { name, path }, result);
    return found === null || found.isWarning ? [] : problem(found.code, found.message);
  });
}

/** JSONata reads a field of a list from each of its items; then the check ends. */
function readMapped(shape: Shape, path: readonly string[]) {
  const result = readPath(shape, path);
  if (result.kind === "found") return null;
  return result.of.kind === "array" || result.of.kind === "union" ? null : result;
}
