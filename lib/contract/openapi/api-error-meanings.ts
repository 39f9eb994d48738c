import type { ApiErrorCode } from "#lib/contract/error/api-error";
import type { SpecificApiErrorReason } from "#lib/contract/error/error-reasons";
import { LIMITS } from "#lib/contract/limits";

interface ApiErrorMeaning {
  /** When a caller gets the error, and what to do about it. */
  when: string;
  /** An example of the response body, without its code. Without a reason, it has the reason of the code. */
  example: { error: string; reason?: SpecificApiErrorReason; details?: unknown };
}

/** Explains each error code of REST and MCP, for every place that documents them (contract, Errors). */
export const API_ERROR_MEANINGS = {
  BAD_REQUEST: {
    when: "Part of the request is not valid. If a field is the cause, the message usually starts with its name.",
    example: {
      error: "limit: Too big: expected number to be <=100",
      details: [
        { field: "limit", pointer: "/limit", code: "too_big", message: "Too big: expected number to be <=100" },
      ],
    },
  },
  INPUT_VALIDATION_FAILED: {
    when: "The input does not match the action's inputSchema. details lists every invalid field.",
    example: {
      error: "The input does not match the action's schema.",
      details: [{ field: "email", pointer: "/email", code: "required", message: "is required" }],
    },
  },
  PUBLISH_VALIDATION_FAILED: {
    when: "The workflow cannot be published yet. details lists the problems.",
    example: {
      error: "The workflow cannot be published yet.",
      details: [
        {
          severity: "error",
          code: "RETURN_OUTPUT_COUNT",
          message: "Callable workflow must have at least 1 Return Output node",
        },
      ],
    },
  },
  WORKFLOW_NOT_CALLABLE: {
    when: "An agent cannot publish a workflow that starts with a trigger.",
    example: {
      error:
        "This workflow is event_driven: its trigger starts it. A person can publish it at https://signalbox.example.com/workflows/0199b7c2-4f6e-7c3a-9a51-3f2b8e7d1c04",
    },
  },
  UNAUTHORIZED: {
    when: "The key is missing, malformed, unknown, revoked or expired. Send it as Authorization: Bearer.",
    example: { error: "Missing or invalid API key. Send it as: Authorization: Bearer <API_KEY>" },
  },
  QUOTA_EXCEEDED: {
    when: "The workspace reached its plan's limit of runs for this month, or of stored workflows.",
    example: { error: "Run quota exceeded (1000 per month)", details: { limit: 1_000, plan: "free" } },
  },
  FORBIDDEN: {
    when: "The key does not have the scope in details.required_scope, or the workspace does not let people approve their own runs.",
    example: {
      error: "The key lacks the scope actions:run.",
      reason: "scope_missing",
      details: { required_scope: "actions:run", granted_scopes: ["actions:read"] },
    },
  },
  ACTION_NOT_FOUND: {
    when: "The workspace has no published action with this slug, or the key is not allowed to see it.",
    example: { error: "There is no action send-invoice." },
  },
  RUN_NOT_FOUND: {
    when: "The workspace has no run with this id, or the key is not allowed to see it.",
    example: { error: "There is no such run." },
  },
  NOT_FOUND: {
    when: "The path or the given id does not exist.",
    example: { error: "The run has no such approval request." },
  },
  METHOD_NOT_ALLOWED: {
    when: "The path does not support this method. The allow header lists the supported methods.",
    example: { error: "This path supports POST, OPTIONS." },
  },
  ACTION_UNAVAILABLE: {
    when: "The action is paused or archived, or has no release.",
    example: { error: "The action send-invoice is paused.", reason: "action_inactive" },
  },
  RUN_NOT_WAITING: {
    when: "The run is not waiting for approval, or someone already made the opposite decision. In that case, details names who decided and when.",
    example: { error: "The run is not waiting for approval. Its status is succeeded." },
  },
  APPROVAL_EXPIRED: {
    when: "The decision came after the approval request expired. The run has timed out.",
    example: { error: "The approval request expired before it was decided; the run timed out." },
  },
  SLUG_TAKEN: {
    when: "The action of another workflow has this slug, even if that action is archived.",
    example: { error: "The slug send-invoice belongs to another workflow and stays reserved for it." },
  },
  BREAKING_SCHEMA_CHANGE: {
    when: "Publishing would break callers of the current inputSchema. details lists the changes.",
    example: {
      error:
        "This is a breaking change for callers of this action. No call in the last 7 days is affected. Set allow_breaking to publish anyway.",
      details: [
        {
          field: "email",
          kind: "became_required",
          breaking: true,
          message: '"email" is now required. Calls without it are rejected.',
          callers: [],
        },
      ],
    },
  },
  REVISION_CONFLICT: {
    when: "The draft changed after you read it. Read it again.",
    example: {
      error: "The draft has changed: it is now at revision 4, not 3.",
      details: { current_revision: 4 },
    },
  },
  WORKFLOW_IN_USE: {
    when: "The workflow's action is active. Archive it first.",
    example: {
      error:
        "The action send-invoice is active, and its callers depend on this workflow. Archive it first, or set archive_action.",
      details: { slug: "send-invoice", status: "active" },
    },
  },
  IDEMPOTENCY_IN_PROGRESS: {
    when: "The first call with this idempotency key is still in progress. Retry after a second.",
    example: { error: "A call with this idempotency key is still being answered." },
  },
  PAYLOAD_TOO_LARGE: {
    when: `The body is larger than ${LIMITS.bodyBytes / 1_048_576} MiB, or its JSON contains too many values.`,
    example: { error: `The body is larger than ${LIMITS.bodyBytes} bytes.` },
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: `The idempotency key was used with a different payload within ${LIMITS.idempotencyKeyHours} hours.`,
    example: { error: "This idempotency key was used with another payload." },
  },
  RATE_LIMIT_EXCEEDED: {
    when: "The key sent too many requests in a minute, or its user started too many runs in an hour. Retry after the seconds in retry-after.",
    example: { error: "Rate limit exceeded" },
  },
  INTERNAL_ERROR: {
    when: "An unexpected error on our side. Include the x-request-id when you report it.",
    example: { error: "An unexpected error occurred on our side. Include the request id if you report it." },
  },
  SERVICE_UNAVAILABLE: {
    when: "The service is temporarily unavailable. Retry after a few seconds, and wait longer each time.",
    example: { error: "The service cannot answer at the moment. Try again shortly." },
  },
} as const satisfies Partial<Record<ApiErrorCode, ApiErrorMeaning>>;

/** The codes that a request with a key can get. The others belong to the web application and to webhooks. */
export type RuntimeErrorCode = keyof typeof API_ERROR_MEANINGS;
