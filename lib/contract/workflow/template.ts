import type { z } from "zod";
import type { templateSchema } from "#lib/contract/workflow/template-schema";

/** What a template is for, in the order in which the gallery offers the purposes. */
export const TEMPLATE_PURPOSES = ["basics", "sales", "support", "operations", "data", "ai", "approvals"] as const;
export type TemplatePurpose = (typeof TEMPLATE_PURPOSES)[number];

/** A workflow to start from. */
export type TemplateObject = z.output<typeof templateSchema>;
