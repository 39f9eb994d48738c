import { z } from "zod";
import { work } from "#lib/core/engine/work-settings";
import { propertyName, uniqueNames } from "#lib/core/input/property-data";
import { stepSettings } from "#lib/core/steps/step-settings";

const transformField = z.object({ name: propertyName, value: z.unknown() });

export const transformData = z
  .object({
    ...stepSettings,
    ...work,
    fields: z.array(transformField).max(200).superRefine(uniqueNames).optional(),
    jsonata: z.string().min(1, "is required").max(20_000, "must be at most 20000 characters long").optional(),
  })
  .superRefine(({ fields, jsonata }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (fields === undefined && jsonata === undefined) refuse("fields", "is required");
    if (fields !== undefined && jsonata !== undefined) refuse("jsonata", "cannot be combined with fields");
  });
