import type { Diagnostic } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import { readPath } from "#lib/core/shapes/read-path";
import type { Shape } from "#lib/core/shapes/shape";
import { listSuggestions } from "#lib/support/list-suggestions";
import {
  memberKey,
  type Script,
  type SyntaxNode,
  scriptText,
  shapeAt,
  treeOf,
} from "@/components/canvas/kinds/code/script/infer-shape";

/** What the check of the saved draft found in exactly this source. */
export interface CheckedSource {
  source: string;
  /** Null if the source has no syntax error. */
  error: { message: string; line: number; column: number | null } | null;
}

export interface ScriptFacts {
  input: Shape;
  checked: CheckedSource | null;
  /** The error of the last run of exactly this source, if the code threw one. */
  thrown: { message: string; line: number } | null;
}

/**
 * Returns what is wrong with the code. Its syntax is judged by the check that publishing uses, as soon as the draft is
 * saved; until then, by the parser that colors it.
 */
export function lintScript(state: EditorState, { input, checked, thrown }: ScriptFacts): Diagnostic[] {
  const isChecked = checked !== null && checked.source === state.doc.toString();
  const syntax = isChecked ? checkedError(state, checked) : firstError(state);
  const run =
    thrown === null ? [] : [lineDiagnostic(state, thrown.line, { message: thrown.message, source: "last run" })];
  return [...(syntax === null ? unknownProperties({ state, input }) : [syntax]), ...run];
}

function checkedError(state: EditorState, { error }: CheckedSource): Diagnostic | null {
  if (error === null) return null;
  const { message, line, column } = error;
  return lineDiagnostic(state, line, { message, source: "syntax" }, column);
}

function lineDiagnostic(
  state: EditorState,
  lineNumber: number,
  words: { message: string; source: string },
  column: number | null = null,
): Diagnostic {
  const line = state.doc.line(Math.min(Math.max(1, lineNumber), state.doc.lines));
  const indent = line.text.length - line.text.trimStart().length;
  const from = Math.min(line.from + (column === null ? indent : column - 1), line.to);
  const word = column === null ? null : state.wordAt(from);
  const to = column === null ? line.to : Math.max(word?.to ?? from, from);
  return { from, to, severity: "error", ...words };
}

/** The ones that follow from the first one add nothing. */
function firstError(state: EditorState): Diagnostic | null {
  let found: Diagnostic | null = null;
  treeOf(state).iterate({
    enter: ({ type, from, to }) => {
      if (found !== null || !type.isError) return found === null;
      const end = Math.min(state.doc.length, Math.max(to, from + 1));
      found = {
        from: Math.min(from, end),
        to: end,
        severity: "error",
        source: "syntax",
        message: "This isn't valid TypeScript",
      };
      return false;
    },
  });
  return found;
}

/** Properties that a value certainly does not have. What earlier steps leave open is silent. */
function unknownProperties(script: Script): Diagnostic[] {
  const found: Diagnostic[] = [];
  treeOf(script.state).iterate({
    enter: ({ name, node }) => {
      if (name !== "MemberExpression") return;
      const diagnostic = unknownProperty(script, node);
      if (diagnostic !== null) found.push(diagnostic);
    },
  });
  return found;
}

function unknownProperty(script: Script, node: SyntaxNode): Diagnostic | null {
  const property = node.getChild("PropertyName");
  const key = memberKey(script, node);
  if (property === null || typeof key !== "string" || node.firstChild === null) return null;
  const shape = shapeAt(script, node.firstChild);
  // The members of texts and lists are the language's own.
  if (shape.kind !== "object" || key in Object.prototype || readPath(shape, [key]).kind !== "missing") return null;
  const { words } = listSuggestions(key, [...shape.fields.keys()]);
  const message = `${scriptText(script, node.firstChild)} has no "${key}"${words}`;
  return { from: property.from, to: property.to, severity: "warning", source: "types", message };
}
