import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import type { GraphIndex } from "#lib/core/graph/edges";
import type { NodeShapes } from "#lib/core/graph/node-shapes";
import { typeOfShape } from "#lib/core/shapes/shape";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** Finds values that their step can't use in any run, such as an object as the body of an XML request. */
export function checkMisfits(index: GraphIndex, shapes: NodeShapes): GraphProblem[] {
  const typeOf = (template: unknown) => typeOfShape(shapes.ofTemplate(template));
  return index.definition.nodes.flatMap((node) =>
    STEP_KINDS[node.type]
      .findMisfits(node.data, typeOf)
      .map(({ field, message }) => nodeProblem(node, "INVALID_DATA", `${field} ${message}`, field)),
  );
}
