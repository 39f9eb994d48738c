import { z } from "zod";
import { SLUG_PATTERN } from "#lib/contract/action/action";
import { LIMITED_KEY_SCOPES, SCOPES, type Scope } from "#lib/contract/key/scopes";

export const createKeyInput = z
  .object({
    name: z.string().trim().min(1, "must not be empty").max(100, "must have at most 100 characters"),
    scopes: z.array(z.enum(SCOPES)).min(1, "must name at least one scope").optional(),
    expires_at: z.iso.datetime({ offset: true }).optional(),
    action_slugs: z.array(z.string().regex(SLUG_PATTERN)).min(1, "must name at least one action").max(100).optional(),
  })
  .superRefine(({ scopes, action_slugs: actionSlugs }, context) => {
    const message = limitedScopesProblem(scopes, actionSlugs);
    if (message !== null) context.addIssue({ code: "custom", path: ["scopes"], message });
  });

/** Returns why a key limited to some actions cannot have these scopes, or null if it can. */
export function limitedScopesProblem(
  scopes: readonly Scope[] | undefined,
  actionSlugs: readonly string[] | undefined,
): string | null {
  const beyond = (actionSlugs && scopes?.filter((scope) => !LIMITED_KEY_SCOPES.includes(scope))) ?? [];
  if (beyond.length === 0) return null;
  return `a key limited to action_slugs cannot hold ${beyond.join(", ")}. Use ${LIMITED_KEY_SCOPES.join(", ")}, or leave out action_slugs`;
}
