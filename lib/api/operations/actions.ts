import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { type Caller, visibleActions } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { orderInput, pageInput } from "#lib/api/operations/define/list-page";
import { ACTION_STATUSES, SLUG_PATTERN } from "#lib/contract/action";
import { ApiError } from "#lib/contract/api-error";
import { LIMITS } from "#lib/contract/limits";
import { CORRELATION_ID_PATTERN, IDEMPOTENCY_KEY_PATTERN } from "#lib/contract/run";
import { actionActivitySchema, actionDetailSchema, actionPageSchema } from "#lib/contract/schemas/action-schema";
import { wireListOf } from "#lib/contract/schemas/page-schema";
import { runSchema } from "#lib/contract/schemas/run-schema";
import { countSchema } from "#lib/contract/schemas/wire-values";
import { getAction } from "#lib/domain/actions/get-action";
import { actionNotFound, getRunnableAction } from "#lib/domain/actions/get-runnable-action";
import { listActionActivity } from "#lib/domain/actions/list-action-activity";
import { listActions } from "#lib/domain/actions/list-actions";
import { setActionStatus } from "#lib/domain/actions/set-action-status";
import { runAction } from "#lib/domain/runs/create/run-action";
import { isJsonObject } from "#lib/support/json";

const slugInput = z.string().describe("Slug of the action.");

/** @throws ApiError ACTION_NOT_FOUND for an invalid slug and for an action the key may not see (decisions, API keys) */
function requireVisible(caller: Caller, slug: string): void {
  const visible = visibleActions(caller);
  if (!SLUG_PATTERN.test(slug) || (visible && !visible.includes(slug))) throw actionNotFound(slug);
}

export const listActionsOperation = defineOperation({
  name: "list_actions",
  title: "List actions",
  description: "Lists published actions that you can run. Each has a slug, a description and an inputSchema.",
  scope: "actions:read",
  role: "viewer",
  rest: {
    method: "GET",
    path: "/actions",
    answers: { tag: "Actions", successes: { 200: "One page of actions, newest first." } },
  },
  mcp: { readOnly: true },
  input: z.object({
    status: z
      .enum([...ACTION_STATUSES, "all"])
      .default("active")
      .describe("all returns actions of every status."),
    q: z.string().max(200).optional().describe("Text that the slug, name or description must contain."),
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
  description: "Returns one published action: input and output schema, example inputs and latest releases.",
  scope: "actions:read",
  role: "viewer",
  rest: {
    method: "GET",
    path: "/actions/:slug",
    answers: { tag: "Actions", successes: { 200: "The action." } },
  },
  mcp: { readOnly: true },
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

export const runActionOperation = defineOperation({
  name: "run_action",
  title: "Run action",
  description:
    "Starts a run of an action and returns at once with its run_id; it never waits for the result. " +
    "input must match the action's inputSchema.",
  scope: "actions:run",
  role: "editor",
  rest: {
    method: "POST",
    path: "/actions/:slug/run",
    status: 202,
    answers: {
      tag: "Actions",
      successes: {
        202:
          "The run before it executes: accepted, or waiting_for_approval if the action requires approval. A dry run is already succeeded. " +
          "A repeated Idempotency-Key returns the first answer again.",
      },
      errors: [
        "INPUT_VALIDATION_FAILED",
        "QUOTA_EXCEEDED",
        "ACTION_UNAVAILABLE",
        "IDEMPOTENCY_IN_PROGRESS",
        "IDEMPOTENCY_KEY_REUSED",
      ],
      headers: ["idempotency-key", "traceparent"],
    },
    assertTarget: async (caller, { slug = "" }) => {
      requireVisible(caller, slug);
      await getRunnableAction(caller.workspaceId, slug);
    },
  },
  mcp: { readOnly: false, destructive: true, openWorld: true },
  input: z.object({
    slug: slugInput,
    // contract, Endpoints: a value that is not an object becomes an empty object, so any value parses here.
    input: z.unknown().meta({ type: "object", description: "Values for the action's inputSchema." }).optional(),
    dry_run: z.boolean().optional().describe("Validate the call without running anything."),
    correlation_id: z
      .string()
      .optional()
      .describe("Your own reference for the run. Find the run by it with list_runs."),
    idempotency_key: z.string().optional().describe("Repeated calls with the same key create only one run."),
  }),
  output: runSchema,
  run: async (caller, input, context) => {
    requireVisible(caller, input.slug);
    const { run, isReplayed } = await runAction({
      workspaceId: caller.workspaceId,
      plan: caller.plan,
      slug: input.slug,
      input: isJsonObject(input.input) ? input.input : {},
      dryRun: input.dry_run ?? false,
      source: caller.kind === "api_key" ? "action" : "manual",
      userId: caller.userId,
      ...(caller.kind === "api_key" ? { apiKeyId: caller.keyId, allowedSlugs: caller.actionSlugs } : {}),
      correlationId: matching(
        CORRELATION_ID_PATTERN,
        "correlation_id: must be 1 to 128 letters, digits or ._:/@- characters",
        input.correlation_id ?? context.correlationId,
      ),
      idempotencyKey: matching(
        IDEMPOTENCY_KEY_PATTERN,
        "idempotency_key: must be 1 to 255 visible ASCII characters",
        input.idempotency_key ?? context.idempotencyKey,
      ),
      traceparent: context.traceparent,
    });
    context.answerHeaders = {
      "x-correlation-id": run.correlation_id,
      ...(isReplayed ? { "idempotent-replayed": "true" } : {}),
    };
    return run;
  },
});

/**
 * Checks a value that arrived as a field or as a header.
 * @throws ApiError BAD_REQUEST
 */
function matching(pattern: RegExp, rule: string, value: string | undefined): string | undefined {
  if (value !== undefined && !pattern.test(value)) throw new ApiError("BAD_REQUEST", rule);
  return value;
}
