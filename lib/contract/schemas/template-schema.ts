import { z } from "zod";
import { definitionObjectSchema } from "#lib/contract/schemas/definition-schema";
import { jsonObjectSchema } from "#lib/contract/schemas/wire-values";

export const templateSchema = z.object({
  template_id: z.string(),
  name: z.string(),
  about: z.string().describe("One sentence: what it does."),
  starts: z.enum(["call", "webhook", "schedule"]),
  needs: z
    .array(z.string())
    .describe("What has to exist or be filled in before it runs; if empty, it is ready to run."),
  sample_input: jsonObjectSchema.describe("What to try it with: the input of a call, or what the trigger would give."),
  definition: definitionObjectSchema,
});
