import { z } from "zod";
import { requireVisible, slugInput } from "#lib/api/operations/calls/call-input";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { visibleActions } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { orderInput, pageInput } from "#lib/api/operations/define/list-page";
import { ACTION_STATUSES } from "#lib/contract/action/action";
import { actionActivitySchema, actionDetailSchema, actionPageSchema } from "#lib/contract/action/action-schema";
import { LIMITS } from "#lib/contract/limits";
import { countSchema, wireListOf } from "#lib/contract/wire/wire-values";
import { getAction } from "#lib/domain/actions/get-action";
import { listActionActivity } from "#lib/domain/actions/list-action-activity";
import { listActions } from "#lib/domain/actions/list-actions";
import { setActionStatus } from "#lib/domain/actions/set-action-status";

export const listActionsOperation = defineOperation({
  name: "list_actions",
  title: "List actions",
  description: "Lists published actions, each with its slug, description and inputSchema.",
  scope: "actions:read",
  role: "viewer",
  rest: {
    method: "GET",
    path: "/actions",
    answers: { tag: "Actions", successes: { 200: "One page of actions, newest first." } },
  },
  mcp: { readOnly: true, sets: ["run"] },
  input: z.object({
    status: z
      .enum([...ACTION_STATUSES, "all"])
      .default("active")
      .describe("The status."),
    q: z.string().max(200).optional().describe("Text in the slug, name or description."),
    order: orderInput,
    ...pageInput,
  }),
  output: actionPageSchema,
  run: (caller, { status, q, order, limit, cursor }) =>
    listActions(
      { workspaceId: caller.workspaceId, status, q, order, actionSlugs: visibleActions(caller) },
      { limit, cursor },
    ),
});

export const getActionOperation = defineOperation({
  name: "get_action",
  title: "Get action",
  description: "Returns one action: input and output schema, example inputs and latest releases.",
  scope: "actions:read",
  role: "viewer",
  rest: {
    method: "GET",
    path: "/actions/:slug",
    answers: { tag: "Actions", successes: { 200: "The action." } },
  },
  mcp: { readOnly: true, sets: ["run"] },
  input: z.object({ slug: slugInput }),
  output: actionDetailSchema,
  run: async (caller, { slug }) => {
    requireVisible(caller, slug);
    return getAction(caller.workspaceId, slug);
  },
});

export const listActionActivityOperation = defineOperation({
  name: "list_action_activity",
  title: "List action activity",
  description: "Returns calls, error rate and duration per action for the last seven days.",
  scope: "web",
  role: "viewer",
  input: z.object({ slugs: z.array(z.string().max(64)).max(LIMITS.pageSizeMax) }),
  output: wireListOf(actionActivitySchema).extend({ days: countSchema }),
  run: (caller, { slugs }) => listActionActivity(caller.workspaceId, slugs),
});

export const setActionStatusOperation = defineOperation({
  name: "set_action_status",
  title: "Set action status",
  description: "Pauses, archives or reactivates an action.",
  scope: "web",
  role: "editor",
  input: z.object({ slug: slugInput, status: z.enum(ACTION_STATUSES) }),
  output: actionDetailSchema,
  run: (caller, { slug, status }) =>
    setActionStatus({ workspaceId: caller.workspaceId, slug, status, actor: actorOf(caller) }),
});
