import type { ApiErrorCode } from "#lib/contract/api-error";

interface ApiErrorMeaning {
  /** When a caller gets the error, and what to do about it. */
  when: string;
  /** An example of the response body, without its code. */
  example: { error: string; details?: unknown };
}

/** Explains each error code of REST and MCP, for every place that documents them (contract, Errors). */
export const API_ERROR_MEANINGS = {
  BAD_REQUEST: {
    when: "Part of the request is not valid. The message starts with the name of the field.",
    example: { error: "limit: Too big: expected number to be <=100" },
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
      error: "Callable workflow must have at least 1 Return Output node",
      details: [{ code: "return_output", message: "Callable workflow must have at least 1 Return Output node" }],
    },
  },
  WORKFLOW_NOT_CALLABLE: {
    when: "An agent cannot publish a workflow that starts with a trigger.",
    example: { error: "An event_driven workflow is published in the web application." },
  },
  UNAUTHORIZED: {
    when: "The key is missing, malformed, unknown, revoked or expired. Send it as Authorization: Bearer.",
    example: { error: "Missing or invalid API key. Send it as: Authorization: Bearer <API_KEY>" },
  },
  QUOTA_EXCEEDED: {
    when: "The workspace reached its plan's limit of runs for this month, or of stored workflows.",
    example: { error: "Monthly run quota exceeded (1000 per month)", details: { limit: 1_000, plan: "free" } },
  },
  FORBIDDEN: {
    when: "The key does not have the scope in details.required_scope, or the workspace does not let people approve their own runs.",
    example: {
      error: "The key lacks the scope actions:run.",
      details: { required_scope: "actions:run", granted_scopes: ["actions:read"] },
    },
  },
  ACTION_NOT_FOUND: {
    when: "The workspace has no published action with this slug, or the key is not allowed to see it.",
    example: { error: "There is no published action send-invoice." },
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
    example: { error: "The action send-invoice is paused." },
  },
  RUN_NOT_WAITING: {
    when: "The run is not waiting for approval, or someone already made the opposite decision. In that case, details names who decided and when.",
    example: { error: "The run does not wait for approval; it is succeeded." },
  },
  APPROVAL_EXPIRED: {
    when: "The decision came after the approval request expired. The run has timed out.",
    example: { error: "The approval request expired before it was decided; the run timed out." },
  },
  SLUG_TAKEN: {
    when: "The action of another workflow has this slug, even if that action is archived.",
    example: { error: "The slug send-invoice belongs to another workflow." },
  },
  BREAKING_SCHEMA_CHANGE: {
    when: "Publishing would break callers of the current inputSchema. details lists the changes.",
    example: { error: "The new input schema breaks callers." },
  },
  REVISION_CONFLICT: {
    when: "The draft changed after you read it. Read it again.",
    example: { error: "The draft has changed since revision 3." },
  },
  WORKFLOW_IN_USE: {
    when: "The workflow's action is active. Archive it first.",
    example: { error: "The action send-invoice is active." },
  },
  IDEMPOTENCY_IN_PROGRESS: {
    when: "The first call with this idempotency key is still in progress. Retry after the seconds in retry-after.",
    example: { error: "A call with this idempotency key is still being answered." },
  },
  PAYLOAD_TOO_LARGE: {
    when: "The body is larger than 1 MiB.",
    example: { error: "The body is larger than 1048576 bytes." },
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: "The idempotency key was used with a different payload within 24 hours.",
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
    when: "The service is temporarily unavailable. Retry after the seconds in retry-after.",
    example: { error: "The service cannot answer at the moment. Try again shortly." },
  },
} as const satisfies Partial<Record<ApiErrorCode, ApiErrorMeaning>>;

/** The codes that a request with a key can get. The others belong to the web application and to webhooks. */
export type RuntimeErrorCode = keyof typeof API_ERROR_MEANINGS;
