import { z } from "zod";
import { work } from "#lib/core/engine/work-settings";
import { stepSettings } from "#lib/core/steps/step-settings";
import { parseGiven } from "#lib/support/leave-out-nulls";

const required = z.string().min(1, "is required").max(200, "must be at most 200 characters long");
/** The parameter that the generic HTTP connector requires; the others are checked when the step runs. */
const httpParams = z.looseObject({ url: z.string("must be text").trim().min(1, "is required") });

export const connectorData = z
  .object({
    ...stepSettings,
    ...work,
    connector: required,
    operation: required,
    connection_id: z.string().nullish(),
    params: z.record(z.string(), z.unknown()).default({}),
  })
  .superRefine((data, context) => {
    if (data.connector !== "http") return;
    for (const issue of parseGiven(httpParams, data.params).error?.issues ?? []) {
      const message = issue.path.length > 0 && data.params.url === undefined ? "is required" : issue.message;
      context.addIssue({ code: "custom", path: ["params", ...issue.path], message });
    }
  });
