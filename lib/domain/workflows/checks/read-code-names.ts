import { SANDBOX_GLOBALS, UNOFFERED_GLOBALS } from "#lib/core/steps/code/sandbox-globals";
import { isRounded } from "#lib/domain/workflows/checks/is-rounded";
import { type CodeNode, parseCode } from "#lib/domain/workflows/checks/parse-main-function";

/** A name in the source of a code step, and its position there. */
export interface CodeName {
  name: string;
  from: number;
}

/** What the code of a step needs from outside. */
interface CodeNames {
  /** What the code calls its input; null if it takes none or takes it apart. */
  inputName: string | null;
  /** The first use of every variable that neither the code nor the sandbox has. */
  undefinedNames: readonly CodeName[];
  /** The variables that the code itself declares. */
  declaredNames: readonly string[];
  /** The first use of every field that the code reads from the input of the step. */
  inputFields: readonly CodeName[];
  /** The numbers that the language rounds when it reads them. */
  longNumbers: readonly CodeName[];
}

const GLOBALS: ReadonlySet<string> = new Set([
  ...Object.keys(SANDBOX_GLOBALS),
  ...UNOFFERED_GLOBALS,
  // Every function has it, except arrow functions.
  "arguments",
]);

/**
 * Finds the names that the code of a step reads from outside. Null if the code does not parse. A name that is declared
 * anywhere in the code counts as declared everywhere, so what is found is certain.
 */
export function readCodeNames(source: string): CodeNames | null {
  const parsed = parseCode(source);
  if (parsed === null) return null;
  const { code, prefix, top, main } = parsed;
  const declared = new Set<string>();
  const uses = new Map<string, CodeName>();
  const input = main === null ? null : inputOf(main, code);
  const fields: CodeName[] = input?.fields ?? [];
  const longNumbers: CodeName[] = [];
  top.cursor().iterate(({ name, node }) => {
    const text = () => code.slice(node.from, node.to);
    if (name === "Number" && isRounded(text())) longNumbers.push({ name: text(), from: node.from });
    if (name === "VariableDefinition" || name === "TypeDefinition") declared.add(text());
    else if (isMappedKey(node)) declared.add(text());
    else if (isUse(node) && !uses.has(text())) uses.set(text(), { name: text(), from: node.from });
    if (name === "MemberExpression" && isInput(node.firstChild, input?.name, code))
      fields.push(...memberOf(node, code));
    if (name === "VariableDeclaration") fields.push(...destructured(node, input?.name, code));
  });
  const isShadowed = input?.name != null && countDefinitions(top, input.name, code) > 1;
  const place = ({ name, from }: CodeName) => ({ name, from: from - prefix });
  return {
    inputName: input?.name ?? null,
    undefinedNames: [...uses.values()].filter(({ name }) => !declared.has(name) && !GLOBALS.has(name)).map(place),
    declaredNames: [...declared],
    inputFields: isShadowed ? [] : firstOfEach(fields).map(place),
    longNumbers: longNumbers.map(place),
  };
}

/** A shorthand property reads the variable of its name. `typeof` reads a variable that may not exist. */
function isUse(node: CodeNode): boolean {
  if (node.name === "VariableName")
    return node.parent?.name !== "UnaryExpression" || node.prevSibling?.name !== "typeof";
  return node.name === "PropertyDefinition" && node.parent?.name === "Property" && isAlone(node);
}

/** The `K` of the type `{ [K in Names]: string }`. */
function isMappedKey({ name, nextSibling, parent }: CodeNode): boolean {
  if (name !== "VariableName" || nextSibling?.name !== "in") return false;
  for (let around = parent; around !== null; around = around.parent) if (around.name === "ObjectType") return true;
  return false;
}

function isAlone({ prevSibling, nextSibling }: CodeNode): boolean {
  return prevSibling === null && nextSibling === null;
}

/** Returns the name of the main function's input, and the fields that its parameters read. */
function inputOf(main: CodeNode, code: string): { name: string | null; fields: CodeName[] } | null {
  const parameter = main.getChild("ParamList")?.firstChild?.nextSibling ?? null;
  if (parameter?.name === "VariableDefinition") return { name: code.slice(parameter.from, parameter.to), fields: [] };
  return parameter?.name === "ObjectPattern" ? { name: null, fields: patternFields(parameter, code) } : null;
}

function isInput(node: CodeNode | null, input: string | null | undefined, code: string): boolean {
  return input != null && node?.name === "VariableName" && code.slice(node.from, node.to) === input;
}

/** The field of `input.field` and `input["field"]`. An assignment creates the field. */
function memberOf(node: CodeNode, code: string): CodeName[] {
  const isAssigned = node.parent?.name === "AssignmentExpression" && node.prevSibling === null;
  const key = node.lastChild?.name === "]" ? node.lastChild.prevSibling : node.lastChild;
  if (isAssigned || key === null) return [];
  const text = code.slice(key.from, key.to);
  if (key.name === "PropertyName") return [{ name: text, from: key.from }];
  return key.name === "String" && !text.includes("\\") ? [{ name: text.slice(1, -1), from: key.from }] : [];
}

/** The fields of `const { field } = input`. */
function destructured(declaration: CodeNode, input: string | null | undefined, code: string): CodeName[] {
  return declaration.getChildren("ObjectPattern").flatMap((pattern) => {
    const equals =
      pattern.nextSibling?.name === "TypeAnnotation" ? pattern.nextSibling.nextSibling : pattern.nextSibling;
    const value = equals?.nextSibling ?? null;
    return equals?.name === "Equals" && isInput(value, input, code) ? patternFields(pattern, code) : [];
  });
}

/** A field with a default may be absent. */
function patternFields(pattern: CodeNode, code: string): CodeName[] {
  return pattern.getChildren("PatternProperty").flatMap((property) => {
    const key = property.firstChild;
    const isField = key?.name === "PropertyName" || key?.name === "VariableDefinition";
    if (!isField || property.getChild("Equals") !== null) return [];
    return [{ name: code.slice(key.from, key.to), from: key.from }];
  });
}

function countDefinitions(top: CodeNode, name: string, code: string): number {
  let count = 0;
  top.cursor().iterate((node) => {
    if (node.name === "VariableDefinition" && code.slice(node.from, node.to) === name) count += 1;
  });
  return count;
}

/** JavaScript's own members, such as `input.hasOwnProperty`, are not fields. */
function firstOfEach(names: readonly CodeName[]): CodeName[] {
  const first = new Map<string, CodeName>();
  for (const name of names) if (!first.has(name.name) && !(name.name in Object.prototype)) first.set(name.name, name);
  return [...first.values()];
}
