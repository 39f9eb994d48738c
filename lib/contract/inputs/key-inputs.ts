import { z } from "zod";
import { SLUG_PATTERN } from "#lib/contract/action";
import { SCOPES } from "#lib/contract/scopes";

export const createKeyInput = z.object({
  name: z.string().trim().min(1, "must not be empty").max(100, "must have at most 100 characters"),
  scopes: z.array(z.enum(SCOPES)).min(1, "must name at least one scope").optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
  action_slugs: z.array(z.string().regex(SLUG_PATTERN)).min(1).max(100).optional(),
});
