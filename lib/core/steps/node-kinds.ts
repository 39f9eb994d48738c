import type { NodeType } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import type { WorkflowType } from "#lib/contract/workflow";
import { DEFAULT_CASE } from "#lib/core/expressions/condition-data";
import { isJsonObject } from "#lib/support/json";

interface NodeKind {
  /** Set on the node a workflow begins with: the type of workflow it makes. */
  starts: WorkflowType | null;
  /** True when other nodes may name it as their `parentId`. */
  holdsBody: boolean;
  /** The handles an edge may leave by; every node also has the nameless one, taken when the node completed. */
  handles: (data: JsonObject) => readonly string[];
  /** Where in `data` templates stand: dotted paths, `*` for every item. What lies below such a path counts too. */
  templates: readonly string[];
  /** The same for templates that are filled in at the end of each iteration of the node's body, with what it gave. */
  bodyTemplates: readonly string[];
}

const noHandles = (): readonly string[] => [];
const step = { starts: null, holdsBody: false, handles: noHandles, bodyTemplates: [] } as const;

function caseIds(data: JsonObject): string[] {
  const cases = Array.isArray(data.cases) ? data.cases : [];
  return cases.flatMap((item) => (isJsonObject(item) && typeof item.id === "string" ? [item.id] : []));
}

/** What the graph's rules must know of each node type (decisions, The graph document). */
export const NODE_KINDS: Record<NodeType, NodeKind> = {
  action_input: { ...step, starts: "callable", templates: [] },
  trigger: { ...step, starts: "event_driven", templates: [] },
  condition: { ...step, handles: () => ["true", "false"], templates: ["rules.*.left", "rules.*.right"] },
  switch: {
    ...step,
    handles: (data) => [...caseIds(data), DEFAULT_CASE],
    templates: ["cases.*.rules.*.left", "cases.*.rules.*.right"],
  },
  loop: { ...step, holdsBody: true, templates: ["items"], bodyTemplates: ["result"] },
  delay: { ...step, templates: ["seconds"] },
  approval: { ...step, handles: () => ["approved", "rejected"], templates: ["message"] },
  sub_workflow: { ...step, templates: ["input"] },
  code: { ...step, templates: ["input"] },
  transform: { ...step, templates: ["fields.*.value"] },
  connector: { ...step, templates: ["params"] },
  llm: { ...step, templates: ["system", "prompt"] },
  return_output: { ...step, templates: ["properties.*.value"] },
};
