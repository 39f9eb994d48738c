import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import {
  CHILDREN,
  type ChildName,
  CODE_PROGRAMS,
  type NodeModel,
  type Rule,
  type StepModel,
  type Value,
  type WorkflowModel,
} from "#worker/random-runs/workflow-model.fixture";

/** What definitions refer to: the address of the service, and the slugs of the actions that steps run. */
export interface DrawnSurroundings {
  serviceUrl: string;
  slugs: Readonly<Record<ChildName, string>>;
}

const INPUT_PROPERTIES = [
  { name: "num", type: "integer", required: true },
  { name: "txt", type: "string", required: true },
  { name: "list", type: "array", required: true },
];

/** Writes the definition of a workflow. */
export function renderWorkflow({ nodes, edges }: WorkflowModel, surroundings: DrawnSurroundings): Definition {
  return {
    nodes: nodes.flatMap((node) => renderNode(node, surroundings)),
    edges: [
      ...edges.map(({ from, handle, to }, at) => edge(`e${at}`, from, to, handle)),
      ...nodes.flatMap(({ id, step }) =>
        step.kind === "loop"
          ? step.body.slice(1).map((node, at) => edge(`${id}_e${at}`, step.body[at]?.id ?? "", node.id, null))
          : [],
      ),
    ],
  };
}

/** Writes the definition of an action that steps run. */
export function renderChild(name: ChildName): Definition {
  const { source } = CODE_PROGRAMS[CHILDREN[name]];
  return {
    nodes: [
      node("start", "action_input", { properties: [{ name: "v", type: "number", required: false }] }),
      node("work", "code", { source, input: { v: "{{action_input.v}}" } }),
      node("end", "return_output", { properties: [{ name: "n", type: "number", value: "{{work.n}}" }] }),
    ],
    edges: [edge("a", "start", "work", null), edge("b", "work", "end", null)],
  };
}

function edge(id: string, source: string, target: string, sourceHandle: string | null): Definition["edges"][number] {
  return sourceHandle === null ? { id, source, target } : { id, source, target, sourceHandle };
}

function node(id: string, type: GraphNode["type"], data: JsonObject, parentId?: string): GraphNode {
  const placed = { id, type, position: { x: 0, y: 0 }, data };
  return parentId === undefined ? placed : { ...placed, parentId };
}

function renderNode(
  { id, step, continues }: NodeModel,
  surroundings: DrawnSurroundings,
  parentId?: string,
): GraphNode[] {
  const [type, data] = renderStep(id, step, surroundings);
  const own = node(id, type, continues ? { ...data, continueOnFailure: true } : data, parentId);
  return step.kind === "loop" ? [own, ...step.body.flatMap((inner) => renderNode(inner, surroundings, id))] : [own];
}

function renderStep(
  id: string,
  step: StepModel,
  { serviceUrl, slugs }: DrawnSurroundings,
): [GraphNode["type"], JsonObject] {
  switch (step.kind) {
    case "input":
      return ["action_input", { properties: INPUT_PROPERTIES }];
    case "fields":
      return ["transform", { fields: step.fields.map(([name, value]) => ({ name, value: template(value) })) }];
    case "condition":
      return ["condition", { match: step.match, rules: step.rules.map(renderRule) }];
    case "switch":
      return [
        "switch",
        { cases: step.cases.map((one) => ({ id: one.id, name: one.id, match: "all", rules: [renderRule(one.rule)] })) },
      ];
    case "filter":
      return [
        "filter",
        {
          items: template(step.items),
          match: "all",
          rules: [{ left: `{{${id}.item}}`, operator: step.operator, right: step.right }],
        },
      ];
    case "program":
      return ["code", { source: CODE_PROGRAMS[step.program].source, input: { v: template(step.input) } }];
    case "call": {
      const url = `${serviceUrl}/${step.fails}/${step.status}`;
      const params = { method: "POST", url, body: { v: template(step.body) } };
      return ["connector", { connector: "http", operation: "request", params, maxRetries: step.retries }];
    }
    case "loop":
      return ["loop", { items: template(step.items), concurrency: step.concurrency, result: template(step.result) }];
    case "gate":
      return ["approval", { message: "Approve?" }];
    case "delay":
      return ["delay", { seconds: 1 }];
    case "action":
      return ["sub_workflow", { action_slug: slugs[step.action], input: { v: template(step.input) } }];
    case "end":
      return [
        "return_output",
        {
          properties: step.fields.map(([name, type, value]) => ({
            name,
            type,
            value: template(value),
            required: false,
          })),
        },
      ];
  }
}

function renderRule({ left, operator, right }: Rule): JsonObject {
  return operator === "exists" ? { left: template(left), operator } : { left: template(left), operator, right };
}

function template(value: Value): unknown {
  switch (value.kind) {
    case "constant":
      return value.value;
    case "path": {
      const path = value.path.join(".").replace(/^start\b/, "action_input");
      return value.fallback === undefined ? `{{${path}}}` : fallback(path, value.fallback);
    }
    case "texts":
      return value.parts.map((part) => (part.kind === "constant" ? String(part.value) : template(part))).join("");
  }
}

/** An expression has no constant for a list: `split` makes one of texts. */
function fallback(path: string, value: unknown): string {
  return `{{${path} ?? ${Array.isArray(value) ? `split("${value.join(",")}", ",")` : JSON.stringify(value)}}}`;
}
