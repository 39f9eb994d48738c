import { z } from "zod";
import { reasonsOfCode } from "#lib/contract/error/api-error";
import { fieldErrorSchema } from "#lib/contract/error/field-error-schema";
import { SCOPES } from "#lib/contract/key/scopes";
import { API_ERROR_MEANINGS, type RuntimeErrorCode } from "#lib/contract/openapi/api-error-meanings";
import { WIRE_NAMES } from "#lib/contract/wire/wire-values";
import { PLANS } from "#lib/contract/workspace/plans";

/**
 * The shape of `details` for the codes that define one. For other codes, `details` can contain anything helpful, or is
 * absent.
 */
const DETAILS: Partial<Record<RuntimeErrorCode, z.ZodType>> = {
  INPUT_VALIDATION_FAILED: z.array(fieldErrorSchema).min(1).describe("Every invalid field."),
  QUOTA_EXCEEDED: z.object({ limit: z.int(), plan: z.enum(PLANS) }),
  FORBIDDEN: z
    .object({
      required_scope: z.enum(SCOPES).optional(),
      granted_scopes: z.array(z.enum(SCOPES)).optional(),
      reason: z.literal("self_approval").optional(),
    })
    .describe("The missing scope, or the rule that forbids the request."),
};

function errorSchema(code: RuntimeErrorCode) {
  const details =
    DETAILS[code] ??
    z.unknown().optional().describe("More information that helps to fix the problem, if there is any.");
  const reason = z.enum(reasonsOfCode(code)).describe("The exact reason, for programs.");
  const schema = z.object({
    error: z.string().describe("The message for people."),
    code: z.literal(code),
    reason,
    details,
  });
  WIRE_NAMES.add(schema, { id: code });
  return schema;
}

const CODES = Object.keys(API_ERROR_MEANINGS) as RuntimeErrorCode[];

/**
 * The response body `{ error, code, reason, details? }` of every code (contract, Errors). Each schema has the name of
 * its code.
 */
export const ERROR_SCHEMAS = Object.fromEntries(CODES.map((code) => [code, errorSchema(code)])) as Record<
  RuntimeErrorCode,
  ReturnType<typeof errorSchema>
>;
