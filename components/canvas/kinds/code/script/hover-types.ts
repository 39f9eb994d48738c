import type { EditorState, Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import type { Shape } from "#lib/core/shapes/shape";
import { SANDBOX_GLOBALS, SANDBOX_SIGNATURES } from "#lib/core/steps/code/sandbox-globals";
import { type SyntaxNode, scriptText, shapeAt, treeOf } from "@/components/canvas/kinds/code/script/infer-shape";
import { typeText } from "@/components/canvas/kinds/code/script/type-text";

interface TypeAt {
  from: number;
  to: number;
  text: string;
}

/** Returns the name at a position with its type; null if nothing is known about it. */
export function typeAt(state: EditorState, input: Shape, pos: number, side: -1 | 0 | 1): TypeAt | null {
  const script = { state, input };
  const node = treeOf(state, pos).resolveInner(pos, side === 0 ? -1 : side);
  const { from, to } = node;
  const expression = node.name === "PropertyName" && node.parent?.name === "MemberExpression" ? node.parent : node;
  const source = scriptText(script, expression).replaceAll("?.", ".");
  const signature = SANDBOX_SIGNATURES[source];
  if (signature !== undefined) return { from, to, text: `${source}: ${signature}` };
  if (!["VariableName", "MemberExpression", "VariableDefinition"].includes(expression.name)) return null;
  const shape = shapeAt(script, expression.name === "VariableDefinition" ? nextUse(expression) : expression);
  if (shape.kind !== "unknown") return { from, to, text: `${source}: ${typeText(shape)}` };
  return Object.hasOwn(SANDBOX_GLOBALS, source) ? { from, to, text: `${source} (global)` } : null;
}

/** A definition has the type of its value. */
function nextUse(definition: SyntaxNode) {
  const equals = definition.nextSibling?.name === "Equals" ? definition.nextSibling : null;
  return equals?.nextSibling ?? definition;
}

/** Shows the type of the name under the pointer. */
export function hoverTypes(inputOf: () => Shape): Extension {
  return hoverTooltip((view, pos, side) => {
    const found = typeAt(view.state, inputOf(), pos, side);
    if (found === null) return null;
    return {
      pos: found.from,
      end: found.to,
      above: true,
      create: () => {
        const dom = document.createElement("div");
        dom.className = "cm-diagnostic font-mono";
        dom.textContent = found.text;
        return { dom };
      },
    };
  });
}
