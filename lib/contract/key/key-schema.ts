import { z } from "zod";
import { SCOPES } from "#lib/contract/key/scopes";
import { countSchema, momentSchema, wirePageOf } from "#lib/contract/wire/wire-values";
import { PLANS } from "#lib/contract/workspace/plans";

export const keySchema = z.object({
  key_id: z.uuid(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  action_slugs: z.array(z.string()).nullable().describe("Null means every action."),
  status: z.enum(["active", "expired", "revoked"]),
  created_by: z.string(),
  created_at: momentSchema,
  expires_at: momentSchema.nullable(),
  revoked_at: momentSchema.nullable(),
  last_used_at: momentSchema.nullable(),
  replaces: z
    .object({ key_id: z.uuid(), prefix: z.string(), last_used_at: momentSchema.nullable() })
    .nullable()
    .describe("The key that this one replaces; null once that key is revoked, or if both keys stay active."),
});

export const createdKeySchema = keySchema.extend({ raw_key: z.string() });

export const keyListSchema = wirePageOf(keySchema).extend({
  quota: z.object({ used: countSchema, limit: countSchema.nullable(), plan: z.enum(PLANS) }),
});

export const keyActivitySchema = z.object({ key_id: z.uuid(), hours: z.array(countSchema) });

export const keyUsageSchema = z.object({
  window: z
    .object({ limit: countSchema, used: countSchema })
    .describe("The last 60 seconds. A limit of 0 means no limit."),
  operations: z
    .array(z.object({ operation: z.string(), requests: countSchema, refused: countSchema }))
    .describe("Busiest first. refused counts the requests with a status of 400 or more."),
  refusals: z
    .array(z.object({ status: z.int(), operation: z.string(), requests: countSchema, last_at: momentSchema }))
    .describe("Requests refused with 401, 403 or 429, latest first."),
  actions: z
    .array(z.object({ slug: z.string(), runs: countSchema }))
    .describe(
      "By the number of runs that the key requested, busiest first. A workflow without an action is not listed.",
    ),
});
