import type { GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { createFix } from "#lib/core/graph/checks/create-fix";
import { fixValue } from "#lib/core/graph/checks/fix-text";
import { declaresInput } from "#lib/core/graph/checks/meant/guess-reference";
import { nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import { findNamedNode, type GraphIndex, upstreamIds } from "#lib/core/graph/edges";
import type { GraphOperation } from "#lib/core/graph/edits/graph-operations";
import { placeInField } from "#lib/core/steps/code/place-in-field";
import { SANDBOX_GLOBALS } from "#lib/core/steps/code/sandbox-globals";
import { type CodeName, readCodeNames } from "#lib/domain/workflows/checks/read-code-names";
import { adviceForGlobal } from "#lib/platform/sandbox/child/explain-error";
import { isJsonObject } from "#lib/support/json";
import { listSuggestions, quoteName } from "#lib/support/list-suggestions";

/** Finds variables that do not exist in the sandbox, and fields of the input that the step does not pass. */
export function checkCodeNames(index: GraphIndex, node: GraphNode, source: string): GraphProblem[] {
  const names = readCodeNames(source);
  if (names === null) return [];
  const passed = isJsonObject(node.data.input) ? Object.keys(node.data.input) : [];
  const { inputName, declaredNames } = names;
  return [
    ...names.undefinedNames.map((found) =>
      undefinedVariable(index, node, source, found, { inputName, declaredNames, passed }),
    ),
    ...names.longNumbers.map((found) => longNumber(node, "source", { digits: found.name, ...placeOf(source, found) })),
    ...names.inputFields
      .filter(({ name }) => !passed.includes(name))
      .map((found) => unpassedInput(index, node, source, found, passed)),
  ];
}

/** Reports a number that the language of a program would round. */
export function longNumber(
  node: GraphNode,
  field: "source" | "jsonata",
  { digits, ...place }: { digits: string; line: number; column: number },
): GraphProblem {
  const instead = field === "source" ? `${digits}n, or "${digits}"` : `"${digits}"`;
  const message = `${digits} has more digits than a number can keep. Write ${instead}`;
  return { ...nodeProblem(node, "LONG_NUMBER", `${placeInField(field, place)}${message}`, field), ...place };
}

interface Known {
  inputName: string | null;
  declaredNames: readonly string[];
  passed: readonly string[];
}

function undefinedVariable(
  index: GraphIndex,
  node: GraphNode,
  source: string,
  found: CodeName,
  known: Known,
): GraphProblem {
  const { name } = found;
  const isPassed = known.inputName !== null && known.passed.includes(name);
  const passing = isPassed ? null : passStep(index, node, source, found, known);
  if (passing !== null) return passing;
  // `$json` and the like of other engines are no misspelled globals.
  const names = name.startsWith("$") ? known.declaredNames : [...known.declaredNames, ...Object.keys(SANDBOX_GLOBALS)];
  const { words, certain } = listSuggestions(name, names);
  const instead = isPassed ? `${known.inputName}.${name}` : certain;
  const advice = isPassed ? `; did you mean ${quoteName(instead ?? "")}?` : words;
  const hint = adviceForGlobal(name);
  const message = `${quoteName(name)} does not exist in code${hint === null ? advice : `. ${hint}`}`;
  return {
    ...nodeProblem(node, "UNDEFINED_VARIABLE", `${placeInField("source", placeOf(source, found))}${message}`, "source"),
    ...placeOf(source, found),
    ...withFix(hint !== null || instead === null ? null : renamed(node, source, found, instead)),
  };
}

const MEMBER = /^[A-Za-z_]\w{0,63}(?:\.[A-Za-z_]\w{0,63}){1,9}/;

/** Code sees only its input, so what it reads from a step has to be passed there. Null if the name is no step before it. */
function passStep(
  index: GraphIndex,
  node: GraphNode,
  source: string,
  { name, from }: CodeName,
  { inputName, passed }: Known,
): GraphProblem | null {
  const named = findNamedNode(index, name);
  if (named === null || !upstreamIds(index, node.id).has(named.id)) return null;
  const written = MEMBER.exec(source.slice(source.indexOf(name, from)))?.[0];
  // `fetch(…)` is a call, although a step has the name.
  if (written === undefined) return null;
  const key = written.split(".").at(-1) ?? name;
  const instead = `${inputName}.${key}`;
  const place = placeOf(source, { name, from });
  const message = `${quoteName(name)} does not exist in code, which sees only its input. Pass {{${written}}} in input, and read ${inputName === null ? key : instead}`;
  const problem = nodeProblem(node, "UNDEFINED_VARIABLE", `${placeInField("source", place)}${message}`, "source");
  const start = source.indexOf(written, from);
  const text = source.slice(0, start) + instead + source.slice(start + written.length);
  const canFix = inputName !== null && start !== -1 && !passed.includes(key);
  const fix = canFix ? createFix(node, { input: { [key]: `{{${written}}}` }, source: text }) : null;
  return { ...problem, ...place, ...withFix(fix) };
}

function unpassedInput(
  index: GraphIndex,
  node: GraphNode,
  source: string,
  found: CodeName,
  passed: readonly string[],
): GraphProblem {
  const { words, certain } = listSuggestions(found.name, passed, "it passes");
  const isOfCaller = certain === null && index.entry !== null && declaresInput(index.entry, found.name);
  const advice = isOfCaller ? `; pass {{action_input.${found.name}}} in input` : words;
  const message = `reads ${quoteName(found.name)} of its input, which the step does not pass${advice}`;
  const passing = { input: { [found.name]: `{{action_input.${found.name}}}` } };
  return {
    ...nodeWarning(node, "UNPASSED_INPUT", `${placeInField("source", placeOf(source, found))}${message}`, "source"),
    ...placeOf(source, found),
    ...withFix(isOfCaller ? createFix(node, passing) : certain === null ? null : renamed(node, source, found, certain)),
  };
}

function withFix(fix: GraphOperation | null): { fix?: GraphOperation } {
  return fix === null ? {} : { fix };
}

/** Replaces a name at its first place; after each fix, the next check finds the next place. */
function renamed(node: GraphNode, source: string, { name, from }: CodeName, to: string): GraphOperation | null {
  const start = source.indexOf(name, from);
  if (start === -1) return null;
  return fixValue(node, "source", () => source.slice(0, start) + to + source.slice(start + name.length));
}

function placeOf(source: string, { from }: CodeName): { line: number; column: number } {
  const before = source.slice(0, from).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}
