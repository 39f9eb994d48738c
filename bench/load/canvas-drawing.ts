import type { Definition, GraphNode } from "#lib/contract/workflow/graph";

/** The text field of every step, under its name in the panel. */
export const FIRST_FIELD = "fields.0.value";

const COLUMNS = 10;

/** Returns `count` steps: Action Input, rows of transforms that each use the one before, and Return Output. */
export function drawingOf(count: number): Definition {
  const steps = Array.from({ length: count - 2 }, (_, index): GraphNode => {
    const before = index === 0 ? "{{action_input.n}}" : `{{step_${index - 1}.n}}`;
    return {
      id: `step_${index}`,
      type: "transform",
      position: { x: (index % COLUMNS) * 320, y: 180 + Math.floor(index / COLUMNS) * 180 },
      data: { name: `Step ${index}`, fields: [{ name: "n", value: before }] },
    };
  });
  const nodes: GraphNode[] = [
    {
      id: "action_input",
      type: "action_input",
      position: { x: 0, y: 0 },
      data: { name: "Action Input", properties: [{ name: "n", type: "number", required: true }] },
    },
    ...steps,
    {
      id: "return_output",
      type: "return_output",
      position: { x: 0, y: 180 + Math.ceil(steps.length / COLUMNS) * 180 },
      data: {
        name: "Return Output",
        properties: [{ name: "n", type: "number", value: `{{step_${steps.length - 1}.n}}` }],
      },
    },
  ];
  const edges = nodes.slice(1).map((target, index) => {
    const source = nodes[index]?.id ?? "";
    return { id: `${source}-${target.id}`, source, target: target.id };
  });
  return { nodes, edges };
}
