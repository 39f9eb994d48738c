import { z } from "zod";
import { type Caller, visibleActions } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { SCOPES } from "#lib/contract/key/scopes";
import { countSchema } from "#lib/contract/wire/wire-values";
import { PLANS } from "#lib/contract/workspace/plans";
import { getPlanUsage } from "#lib/domain/usage/get-plan-usage";
import { getWorkspaceSettings } from "#lib/domain/workspaces/get-workspace-settings";
import { env } from "#lib/platform/config/env";
import { prisma } from "#lib/platform/db/prisma";

const allowanceSchema = z.object({ limit: countSchema, left: countSchema });

const whoamiSchema = z.object({
  workspace: z.object({ slug: z.string(), name: z.string(), plan: z.enum(PLANS), url: z.string() }),
  key: z
    .object({
      name: z.string(),
      prefix: z.string(),
      scopes: z.array(z.enum(SCOPES)).readonly(),
      action_slugs: z.array(z.string()).readonly().optional().describe("The only actions that the key can call."),
    })
    .optional(),
  limits: z
    .object({
      requests_per_minute: allowanceSchema.optional(),
      runs_per_hour: allowanceSchema.optional(),
      runs_per_month: allowanceSchema.optional(),
    })
    .describe("A limit is absent if it does not apply."),
});

/** Returns what is left of a limit, or nothing if there is no limit. */
function leftOf<Name extends string>(name: Name, { used, limit }: { used: number; limit: number | null }) {
  return limit === null ? {} : { [name]: { limit, left: Math.max(0, limit - used) } };
}

function keyOf(caller: Caller): Pick<z.output<typeof whoamiSchema>, "key"> {
  if (caller.kind !== "api_key") return {};
  const { name, prefix, scopes } = caller;
  const slugs = visibleActions(caller);
  return { key: { name, prefix, scopes, ...(slugs === null ? {} : { action_slugs: slugs }) } };
}

export const whoamiOperation = defineOperation({
  name: "whoami",
  title: "Who am I",
  description: "Returns your workspace, the scopes of your key, your limits and what is left of them.",
  scope: [],
  role: "viewer",
  mcp: { readOnly: true, sets: ["run", "build"] },
  input: z.object({}),
  output: whoamiSchema,
  run: async (caller, _input, { window }) => {
    const { workspaceId, userId } = caller;
    const [{ slug, name }, usage] = await Promise.all([
      getWorkspaceSettings(prisma(), workspaceId),
      getPlanUsage(workspaceId, userId),
    ]);
    const requests = window && window.limit > 0 ? { limit: window.limit, left: window.remaining } : null;
    return {
      workspace: { slug, name, plan: usage.plan, url: env().PUBLIC_BASE_URL },
      ...keyOf(caller),
      limits: {
        ...(requests === null ? {} : { requests_per_minute: requests }),
        ...leftOf("runs_per_hour", usage.own_runs),
        ...leftOf("runs_per_month", usage.runs),
      },
    };
  },
});
