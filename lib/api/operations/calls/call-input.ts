import { z } from "zod";
import { type Caller, type RequestContext, visibleActions } from "#lib/api/operations/define/caller";
import { SLUG_PATTERN } from "#lib/contract/action/action";
import { ApiError } from "#lib/contract/error/api-error";
import { CORRELATION_ID_PATTERN, IDEMPOTENCY_KEY_PATTERN } from "#lib/contract/run/run";
import { actionNotFound, getRunnableAction } from "#lib/domain/actions/get-runnable-action";
import type { ActionCall, BatchItem } from "#lib/domain/runs/create/run-actions";
import { isJsonObject } from "#lib/support/json";

export const slugInput = z.string().describe("Slug of the action.");

/** The fields of one call, alone or as an item of a batch. */
export const callFields = {
  // contract, Endpoints: a value that is not an object becomes an empty object, so any value parses here.
  input: z
    .unknown()
    .meta({ type: "object", additionalProperties: {}, description: "Values for the action's inputSchema." })
    .optional(),
  dry_run: z.boolean().optional().describe("Only validate the call."),
  correlation_id: z.string().optional().describe("Your own reference for the run."),
  idempotency_key: z.string().optional().describe("Calls with the same key create one run."),
};

const callSchema = z.object(callFields);
type CallInput = z.output<typeof callSchema>;

/** @throws ApiError ACTION_NOT_FOUND for an invalid slug and for an action the key may not see (decisions, API keys) */
export function requireVisible(caller: Caller, slug: string): void {
  const visible = visibleActions(caller);
  if (!SLUG_PATTERN.test(slug) || (visible && !visible.includes(slug))) throw actionNotFound(slug);
}

/**
 * Checks the action in the path, for a request whose body cannot be read.
 * @throws ApiError ACTION_NOT_FOUND, ACTION_UNAVAILABLE
 */
export async function assertRunnable(caller: Caller, { slug = "" }: Record<string, string>): Promise<void> {
  requireVisible(caller, slug);
  await getRunnableAction(caller.workspaceId, slug);
}

/** Returns what all calls of a request have in common. */
export function readCaller(
  caller: Caller,
  slug: string,
  { traceparent }: RequestContext,
): Omit<ActionCall, keyof BatchItem> {
  const { workspaceId, plan, userId } = caller;
  return {
    workspaceId,
    plan,
    slug,
    source: caller.kind === "api_key" ? "action" : "manual",
    userId,
    ...(caller.kind === "api_key" ? { apiKeyId: caller.keyId, allowedSlugs: caller.actionSlugs } : {}),
    traceparent,
  };
}

/** @throws ApiError BAD_REQUEST naming the field */
export function readCall({ input, dry_run: dryRun, correlation_id, idempotency_key }: CallInput): BatchItem {
  return {
    input: isJsonObject(input) ? input : {},
    dryRun: dryRun ?? false,
    correlationId: matching(
      CORRELATION_ID_PATTERN,
      "correlation_id: must be 1 to 128 letters, digits or ._:/@- characters",
      correlation_id,
    ),
    idempotencyKey: matching(
      IDEMPOTENCY_KEY_PATTERN,
      "idempotency_key: must be 1 to 255 visible ASCII characters",
      idempotency_key,
    ),
  };
}

/**
 * Checks a value that arrived as a field or as a header.
 * @throws ApiError BAD_REQUEST
 */
function matching(pattern: RegExp, rule: string, value: string | undefined): string | undefined {
  if (value !== undefined && !pattern.test(value)) throw new ApiError("BAD_REQUEST", rule);
  return value;
}
