import type { z } from "zod";
import type { templateSchema } from "#lib/contract/workflow/template-schema";

/** A workflow to start from. */
export type TemplateObject = z.output<typeof templateSchema>;
