import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { newForm } from "#lib/core/steps/trigger/form/new-form";
import { shownTimeZone } from "@/components/api/shown-workspace";

/** The trigger of a new workflow. */
export type Start = "call" | "webhook" | "schedule" | "form";

function node(id: GraphNode["type"], y: number, data: Record<string, unknown>): GraphNode {
  return { id, type: id, position: { x: 0, y }, data };
}

/** The nodes that each kind of workflow needs, already placed. */
export const STARTING_POINTS: Record<Start, () => Definition> = {
  call: () => ({
    nodes: [
      node("action_input", 0, { name: "Action Input", properties: [] }),
      node("return_output", 180, { name: "Return Output", properties: [] }),
    ],
    edges: [{ id: "action_input-return_output", source: "action_input", target: "return_output" }],
  }),
  webhook: () => ({
    nodes: [node("trigger", 0, { name: "Webhook", kind: "webhook", scheme: "auto" })],
    edges: [],
  }),
  form: () => ({ nodes: [node("trigger", 0, { name: "Form", ...newForm() })], edges: [] }),
  schedule: () => {
    const rule = { kind: "schedule", mode: "cron", expression: "0 9 * * 1-5", timezone: shownTimeZone() };
    return { nodes: [node("trigger", 0, { name: "Schedule", ...rule })], edges: [] };
  },
};
