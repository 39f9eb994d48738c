import type { NodeType } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";

interface NodeText {
  title: string;
  /** What the node does, and what its data schema cannot say. */
  description: string;
  /** What later nodes read as `{{id…}}`. */
  output: string;
  /** `data` that can be published. */
  example: JsonObject;
}

const FIRST_RULE = { left: "{{action_input.amount}}", operator: "greater_than", right: 100 };

/**
 * What the catalogue says of each node type in words, for whoever writes definitions without the canvas. Everything that
 * a rule knows (data, handles, retries) is not here: `describeNode` takes it from the rules.
 */
export const NODE_TEXTS: Record<NodeType, NodeText> = {
  action_input: {
    title: "Action Input",
    description:
      "What callers send. A callable workflow has exactly one; its properties become the action's inputSchema.",
    output: "the input with defaults filled in: {{action_input.amount}}",
    example: { properties: [{ name: "amount", type: "number", required: true, description: "In euro." }] },
  },
  trigger: {
    title: "Trigger",
    description: "Starts an event_driven workflow by itself. Such a workflow has no slug and is deployed by a person.",
    output: "{output: {body, timestamp}} and the like: {{trigger.output.body}}",
    example: { kind: "schedule", mode: "cron", expression: "0 9 * * 1-5", timezone: "UTC" },
  },
  condition: {
    title: "Condition",
    description: "Goes one of two ways. right may be absent for is_empty, is_not_empty, is_true, is_false, exists.",
    output: "{result}",
    example: { match: "all", rules: [FIRST_RULE] },
  },
  switch: {
    title: "Switch",
    description: "Goes the way of the first case whose rules hold, else default. A case's id is its handle.",
    output: "{case}",
    example: { cases: [{ id: "large", name: "Large", match: "all", rules: [FIRST_RULE] }] },
  },
  loop: {
    title: "Loop",
    description:
      "Repeats its body for each item. The body is every node whose parentId is the loop's id; no edge crosses its border.",
    output:
      "{results, count}; inside the body {{id.item}} and {{id.index}}; result is a template read after each iteration",
    example: { items: "{{action_input.lines}}", concurrency: 1, result: "{{price.amount}}" },
  },
  delay: {
    title: "Delay",
    description: "Waits some seconds.",
    output: "{until}",
    example: { seconds: 5 },
  },
  approval: {
    title: "Approval",
    description: "Waits until a person decides. Without an edge by rejected, a rejection cancels the run.",
    output: "{approved, comment, decided_by}",
    example: { message: "Refund {{action_input.amount}}?" },
  },
  sub_workflow: {
    title: "Run an action",
    description: "Runs another published action of the workspace and waits for it.",
    output: "the action's output",
    example: { action_slug: "send-invoice", input: { amount: "{{action_input.amount}}" } },
  },
  code: {
    title: "Code",
    description:
      "TypeScript in a sandbox without network: `export default async (input) => …`, or a function body. " +
      "Templates stand in input, never in source.",
    output: "what the function returns",
    example: { source: "return { total: input.amount * 1.19 };", input: { amount: "{{action_input.amount}}" } },
  },
  transform: {
    title: "Transform",
    description: "Builds an object: either fields, or one JSONata expression over the outputs of earlier nodes.",
    output: "the object: {{id.name}}",
    example: { fields: [{ name: "text", value: "Hello {{action_input.name}}" }] },
  },
  connector: {
    title: "Connector",
    description:
      "Calls another service. Any HTTP API: connector http, operation request, params {method, url, headers?, query?, " +
      "body?, timeout_ms?}; a status of 400 or more fails the step. Others: list_connectors.",
    output: "the operation's; of http {status, headers, body}: {{id.body.field}}",
    example: {
      connector: "http",
      operation: "request",
      params: { method: "GET", url: "https://api.example.com/rates" },
    },
  },
  llm: {
    title: "Language model",
    description:
      "Asks a language model. connection_id is one of list_connectors; a person makes connections in the web application.",
    output: "{text, object?, usage}; object when output_schema is given",
    example: { connection_id: "", model: "", prompt: "Summarize: {{action_input.text}}" },
  },
  return_output: {
    title: "Return Output",
    description: "What the run answers. A callable workflow has at least one; each value is a template.",
    output: "the object",
    example: { properties: [{ name: "total", type: "number", value: "{{price.total}}" }] },
  },
};
