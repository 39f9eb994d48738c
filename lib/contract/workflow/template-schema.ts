import { z } from "zod";
import { TRIGGER_KINDS } from "#lib/contract/trigger/trigger";
import { jsonObjectSchema } from "#lib/contract/wire/wire-values";
import { definitionObjectSchema } from "#lib/contract/workflow/definition-schema";
import { TEMPLATE_PURPOSES } from "#lib/contract/workflow/template";

export const templateSchema = z.object({
  template_id: z.string(),
  name: z.string(),
  about: z.string().describe("One sentence that describes what the template does."),
  purpose: z.enum(TEMPLATE_PURPOSES),
  starts: z.enum(["call", ...TRIGGER_KINDS]),
  needs: z
    .array(z.string())
    .describe("What must exist or be filled in before the workflow runs. If empty, the workflow is ready to run."),
  sample_input: jsonObjectSchema.describe(
    "An example to try the workflow with: the input of a call, or the event of the trigger.",
  ),
  definition: definitionObjectSchema,
});
