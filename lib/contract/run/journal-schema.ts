import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { EVENT_KINDS, RUN_WARNING_CODES, SKIP_REASONS, STEP_STATUSES } from "#lib/contract/run/journal";
import { STEP_ERROR_CODES, STEP_ERROR_REASONS } from "#lib/contract/run/step-error";
import { countSchema, momentSchema, named } from "#lib/contract/wire/wire-values";

export const stepErrorSchema = named(
  "StepError",
  z
    .object({
      code: z.enum(STEP_ERROR_CODES),
      reason: z.enum(STEP_ERROR_REASONS).optional().describe("The exact reason; absent in old runs."),
      message: z.string(),
      retryAfterMs: z.number().optional().describe("How long the service asked to wait."),
      status: z.int().optional().describe("The HTTP status that the service answered with."),
      body: z
        .unknown()
        .optional()
        .describe("What the service answered, sanitized: JSON, or the start of a longer answer as text."),
      line: z.int().optional().describe("The line of the step's code that threw the error, from 1."),
    })
    .describe("An error in a step."),
);

export const runWarningSchema = named(
  "RunWarning",
  z
    .object({
      code: z
        .enum(RUN_WARNING_CODES)
        .optional()
        .describe(
          "NUMBER_AS_TEXT: a service sent a number beyond 2^53, which became a text to keep its digits. MARKUP_AS_TEXT: a value in HTML had tags, which were escaped.",
        ),
      step_id: z.string(),
      field: z.string().describe("The field of the step that has the expression, as a dotted path."),
      path: z
        .string()
        .describe("The path that does not exist. Its value was null. With a code, the path of the value."),
      resolved_until: z.string().describe("The part of the path that exists; empty if its first name does not."),
      has: z.string().describe("What is there: the names of an object's fields, or the kind of the value."),
    })
    .describe("A path in a template that did not resolve, unless there is a code. The run continued with null."),
);

const warningsSchema = z.array(runWarningSchema).optional();
const consoleSchema = z.array(z.string()).optional();

export const stepSchema = named(
  "Step",
  z
    .object({
      step_id: z.string(),
      name: z.string(),
      type: z.string(),
      connector: z.string().optional(),
      operation: z.string().optional(),
      status: z.enum(STEP_STATUSES),
      attempt: z.int().describe("1 for the first attempt."),
      iteration: z
        .object({
          loop_id: z.string(),
          index: countSchema,
          count: countSchema.nullable(),
          path: z.string().describe("The indexes of all loops around the step, outermost first, joined by dots."),
        })
        .nullable()
        .describe("Null outside loops."),
      reused: z.boolean().describe("True if the step was copied from the run that was replayed."),
      started_at: momentSchema.nullable(),
      completed_at: momentSchema.nullable(),
      duration_ms: countSchema.nullable(),
      input: z.unknown().describe("Sanitized, as stored in the journal."),
      output: z.unknown().describe("Sanitized, as stored in the journal."),
      error: stepErrorSchema.nullable(),
      skip_reason: z.enum(SKIP_REASONS).optional().describe("Why a skipped step did not run although it was reached."),
      warnings: warningsSchema.describe(`Absent if there are none. At most ${LIMITS.stepWarnings}.`),
      console: consoleSchema.describe(
        `The lines that the code of the last attempt wrote to its console, sanitized. Absent if there are none. At most ${LIMITS.consoleLines}.`,
      ),
      truncated: z
        .boolean()
        .describe("True if a payload was cut at 64 KiB, or left out because the answer is too large."),
    })
    .describe("A node of the workflow. Inside a loop, one per iteration."),
);

export const journalEventSchema = named(
  "JournalEvent",
  z
    .object({
      event: z.enum(EVENT_KINDS),
      step_id: z.string(),
      iteration: z.string().describe("Empty outside loops; otherwise the indexes, joined by dots."),
      attempt: z.int(),
      at: momentSchema,
      inputData: z.unknown().optional(),
      outputData: z.unknown().optional(),
      durationMs: z.number().optional(),
      error: stepErrorSchema.optional(),
      skipReason: z.enum(SKIP_REASONS).optional(),
      warnings: warningsSchema,
      console: consoleSchema.describe("The console of the attempt that ended, as its error."),
      truncated: z.literal(true).optional().describe("The payloads are not in this answer; read its step."),
    })
    .describe("An entry of the journal."),
);
