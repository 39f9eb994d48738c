import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { propertyName, uniqueNames } from "#lib/core/input/property-data";
import { CHOICE_FIELD_TYPES, FORM_FIELD_TYPE_NAMES } from "#lib/core/steps/trigger/form/form-fields";

const text = (max: number) => z.string().max(max, `must be at most ${max} characters long`);
const filled = (max: number) => text(max).refine((given) => given.trim() !== "", "is required");

const formField = z
  .object({
    name: propertyName,
    label: text(200).nullish().describe("What people read; the name if there is none."),
    type: z.enum(FORM_FIELD_TYPE_NAMES, `must be one of ${FORM_FIELD_TYPE_NAMES.join(", ")}`).default("text"),
    required: z.boolean().default(false).describe("For a checkbox: it must be checked."),
    help: text(1_000).nullish(),
    options: z
      .array(filled(200))
      .max(100, "must contain at most 100 options")
      .nullish()
      .describe("The answers of the types choice and choices."),
  })
  .superRefine(({ type, options }, context) => {
    const refuse = (message: string) => context.addIssue({ code: "custom", path: ["options"], message });
    const hasOptions = options !== undefined && options !== null && options.length > 0;
    if (!Object.hasOwn(CHOICE_FIELD_TYPES, type)) {
      if (hasOptions) refuse(`are only allowed for the types ${Object.keys(CHOICE_FIELD_TYPES).join(" and ")}`);
    } else if (!hasOptions) {
      refuse("are required");
    } else if (new Set(options).size < options.length) {
      refuse("must not contain the same option twice");
    }
  });

const ANSWER_TEXT = text(5_000).nullish().describe("Shown after sending, with its line breaks.");

/** What people see after they sent the form. */
const formAnswer = z.discriminatedUnion(
  "type",
  [
    z.object({ type: z.literal("message"), text: ANSWER_TEXT }),
    z.object({
      type: z.literal("redirect"),
      url: z.url({ protocol: /^https?$/, error: "must be a web address, such as https://example.com/thanks" }),
    }),
    z.object({
      type: z.literal("result"),
      wait_seconds: z
        .int("must be a whole number")
        .min(1, "must be at least 1")
        .max(LIMITS.waitSecondsMax, `must be at most ${LIMITS.waitSecondsMax}`)
        .default(10)
        .describe("How long the page waits for the run. After that, it shows the text."),
      text: ANSWER_TEXT,
    }),
  ],
  "must be message, redirect or result",
);

/** decisions, Forms: a trigger that is a page with fields. */
export const formConfig = z.object({
  kind: z.literal("form"),
  title: filled(200),
  description: text(5_000).nullish().describe("Shown above the fields, with its line breaks."),
  fields: z
    .array(formField)
    .min(1, "must contain at least one field")
    .max(LIMITS.inputProperties, `must contain at most ${LIMITS.inputProperties} fields`)
    .superRefine(uniqueNames),
  submit_label: text(60).nullish(),
  accent: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, "must be a color, such as #2f4bc7")
    .nullish()
    .describe("The color of the button."),
  answer: formAnswer.default({ type: "message" }),
});

export type FormConfig = z.output<typeof formConfig>;
export type FormField = z.output<typeof formField>;
