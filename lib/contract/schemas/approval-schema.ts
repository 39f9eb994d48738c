import { z } from "zod";
import { APPROVAL_KINDS, APPROVAL_STATUSES } from "#lib/contract/approval";
import { named } from "#lib/contract/schemas/wire-names";
import { momentSchema } from "#lib/contract/schemas/wire-values";

export const approvalSchema = named(
  "Approval",
  z
    .object({
      id: z.uuid(),
      status: z.enum(APPROVAL_STATUSES),
      kind: z.enum(APPROVAL_KINDS).describe("policy: the action's approval_policy. gate: a node of the workflow."),
      step_id: z.string().nullable(),
      message: z.string().nullable(),
      requested_at: momentSchema,
      expires_at: momentSchema,
      decided_at: momentSchema.nullable(),
      decided_by: z
        .object({
          type: z.enum(["api_key", "user", "system"]),
          id: z.string().nullable(),
          name: z.string().nullable(),
        })
        .nullable(),
      comment: z.string().nullable(),
    })
    .describe("A request for a decision."),
);
