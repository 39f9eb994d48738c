import { defineStepKind } from "#lib/core/steps/define-step-kind";

export const subWorkflowKind = defineStepKind({
  type: "sub_workflow",
  title: "Run an action",
  category: "call",
  description: "Run another action and use its output",
  guidance: "action_slug is the slug of a published action in the workspace.",
  keywords: "sub workflow call child nested reuse",
  baseId: "run_action",
  canContinue: true,
  newData: () => ({ action_slug: "", input: {} }),
  example: { action_slug: "send-invoice", input: { amount: "{{action_input.amount}}" } },
  least: { action_slug: "another-action" },
  output: "the output of the action",
  outputShape: ({ action_slug: slug }, { catalog }) => catalog.findActionOutput(String(slug)),
  templates: ["input"],
  repeatsSettings: false,
  effects: "calls",
  handler: async () => (await import("#lib/core/steps/sub-workflow/sub-workflow")).prepareSubWorkflow,
});
