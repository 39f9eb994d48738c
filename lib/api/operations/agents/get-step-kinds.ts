import { z } from "zod";
import { definitionGuide } from "#lib/api/operations/agents/definition-guide";
import { keepListedSchema, keepListedText } from "#lib/api/operations/agents/keep-listed";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { jsonObjectSchema } from "#lib/contract/wire/wire-values";
import { WORKFLOW_TYPES } from "#lib/contract/workflow/workflow";
import { describeNode } from "#lib/core/steps/describe-nodes";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";

const stepKindSchema = z.object({
  type: z.enum(STEP_TYPES),
  title: z.string(),
  description: z.string(),
  starts: z.enum(WORKFLOW_TYPES).nullable().describe("The type of workflow that starts with it; null for other steps."),
  handles: z.array(z.string()).readonly().describe("The branches of the example."),
  has_failed_handle: z.boolean(),
  output: z.string(),
  templates: z.array(z.string()).readonly().describe("Where data can contain templates."),
  data_schema: jsonObjectSchema,
  example: z.object({ id: z.string(), type: z.enum(STEP_TYPES), data: jsonObjectSchema }),
});

export const getStepKindsOperation = defineOperation({
  name: "get_step_kinds",
  title: "Get step kinds",
  description:
    "Returns the rules of a workflow's definition, every kind of step and an example. Read it before you build. With kind, " +
    "returns the JSON Schema of one kind's data.",
  scope: "workflows:read",
  role: "viewer",
  mcp: { readOnly: true, sets: ["build"] },
  input: z.object({ kind: z.enum(STEP_TYPES).optional().describe("One kind in detail.") }),
  output: z.union([stepKindSchema, z.object({ guide: z.string() })]),
  run: async (_caller, { kind }, { agent }) =>
    kind === undefined
      ? { guide: keepListedText(definitionGuide(), agent?.hiddenTools) }
      : keepListedSchema(describeNode(kind), agent?.hiddenTools),
});
