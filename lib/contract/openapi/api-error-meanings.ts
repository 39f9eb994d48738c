import type { ApiErrorCode } from "#lib/contract/api-error";

interface ApiErrorMeaning {
  /** When a caller meets it, and what to do about it. */
  when: string;
  /** A body as it is sent, without its code. */
  example: { error: string; details?: unknown };
}

/** What each code of REST and MCP says to a caller, for every place that explains them (contract, Errors). */
export const API_ERROR_MEANINGS = {
  BAD_REQUEST: {
    when: "Something about the request cannot be read. The text begins with the name of the field.",
    example: { error: "limit: Too big: expected number to be <=100" },
  },
  INPUT_VALIDATION_FAILED: {
    when: "The input does not fit the action's inputSchema. details names every wrong field at once.",
    example: {
      error: "The input does not match the action's schema.",
      details: [{ field: "email", pointer: "/email", code: "required", message: "is required" }],
    },
  },
  PUBLISH_VALIDATION_FAILED: {
    when: "The workflow cannot be published as it is. details says what is missing.",
    example: {
      error: "Callable workflow must have at least 1 Return Output node",
      details: [{ code: "return_output", message: "Callable workflow must have at least 1 Return Output node" }],
    },
  },
  WORKFLOW_NOT_CALLABLE: {
    when: "A workflow that a trigger starts cannot be published by an agent.",
    example: { error: "An event_driven workflow is published in the web application." },
  },
  UNAUTHORIZED: {
    when: "The key is missing, malformed, unknown, revoked or expired. Send it as Authorization: Bearer.",
    example: { error: "Missing or invalid API key. Send it as: Authorization: Bearer <API_KEY>" },
  },
  QUOTA_EXCEEDED: {
    when: "The workspace has used up its plan's runs of this month.",
    example: { error: "Monthly run quota exceeded (1000 per month)", details: { limit: 1_000, plan: "free" } },
  },
  FORBIDDEN: {
    when: "The key lacks a scope, and details.required_scope says which; or the workspace does not let people approve their own runs.",
    example: {
      error: "The key lacks the scope actions:run.",
      details: { required_scope: "actions:run", granted_scopes: ["actions:read"] },
    },
  },
  ACTION_NOT_FOUND: {
    when: "No published action of the workspace has this slug, or the key may not see it.",
    example: { error: "There is no published action send-invoice." },
  },
  RUN_NOT_FOUND: {
    when: "The workspace has no run with this id, or the key may not see it.",
    example: { error: "There is no such run." },
  },
  NOT_FOUND: {
    when: "There is nothing under this path, or under the id that was named.",
    example: { error: "The run has no such approval request." },
  },
  METHOD_NOT_ALLOWED: {
    when: "The path answers other methods; the allow header names them.",
    example: { error: "This path supports POST, OPTIONS." },
  },
  ACTION_UNAVAILABLE: {
    when: "The action is paused or archived, or has no release.",
    example: { error: "The action send-invoice is paused." },
  },
  RUN_NOT_WAITING: {
    when: "The run does not wait for approval, or the opposite was decided; then details says by whom and when.",
    example: { error: "The run does not wait for approval; it is succeeded." },
  },
  APPROVAL_EXPIRED: {
    when: "The decision came after the request's hour. The run has timed out.",
    example: { error: "The approval request expired before it was decided; the run timed out." },
  },
  SLUG_TAKEN: {
    when: "Another workflow's action has this slug, also when it is archived.",
    example: { error: "The slug send-invoice belongs to another workflow." },
  },
  BREAKING_SCHEMA_CHANGE: {
    when: "Publishing would break callers of the current inputSchema. details lists the changes.",
    example: { error: "The new input schema breaks callers." },
  },
  REVISION_CONFLICT: {
    when: "The draft was changed since it was read.",
    example: { error: "The draft has changed since revision 3." },
  },
  WORKFLOW_IN_USE: {
    when: "The workflow's action is active. Archive it first.",
    example: { error: "The action send-invoice is active." },
  },
  IDEMPOTENCY_IN_PROGRESS: {
    when: "The first call with this idempotency key is still being answered. Ask again after retry-after.",
    example: { error: "A call with this idempotency key is still being answered." },
  },
  PAYLOAD_TOO_LARGE: {
    when: "The body is larger than 1 MiB.",
    example: { error: "The body is larger than 1048576 bytes." },
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: "The idempotency key was used with another payload within 24 hours.",
    example: { error: "This idempotency key was used with another payload." },
  },
  RATE_LIMIT_EXCEEDED: {
    when: "Too many requests of this key in a minute, or too many runs of this user in an hour. Wait for the seconds in retry-after.",
    example: { error: "Rate limit exceeded" },
  },
  INTERNAL_ERROR: {
    when: "Our fault. x-request-id helps us find it.",
    example: { error: "Something went wrong on our side. The request id helps us find it." },
  },
  SERVICE_UNAVAILABLE: {
    when: "The service cannot answer at the moment. Ask again after retry-after.",
    example: { error: "The service cannot answer at the moment. Try again shortly." },
  },
} as const satisfies Partial<Record<ApiErrorCode, ApiErrorMeaning>>;

/** The codes that a key can meet; the others belong to the web application and to webhooks. */
export type RuntimeErrorCode = keyof typeof API_ERROR_MEANINGS;
