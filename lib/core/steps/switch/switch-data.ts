import { z } from "zod";
import { conditionFields } from "#lib/core/expressions/condition-data";
import { stepSettings } from "#lib/core/steps/step-settings";
import { DEFAULT_CASE } from "#lib/core/steps/switch/switch-kind";

const switchCase = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must contain only letters, digits, _ and - (up to 64)"),
  name: z.string().max(200, "must be at most 200 characters long").optional(),
  ...conditionFields,
});
export type SwitchCase = z.output<typeof switchCase>;

const cases = z
  .array(switchCase)
  .min(1, "must contain at least one case")
  .max(50, "must contain at most 50 cases")
  .superRefine((cases, context) => {
    const seen = new Set<string>([DEFAULT_CASE]);
    for (const [index, { id }] of cases.entries()) {
      const message = id === DEFAULT_CASE ? `must not be "${id}"` : `must be unique; "${id}" is used twice`;
      if (seen.has(id)) context.addIssue({ code: "custom", path: [index, "id"], message });
      seen.add(id);
    }
  });

export const switchData = z.object({ ...stepSettings, cases });
