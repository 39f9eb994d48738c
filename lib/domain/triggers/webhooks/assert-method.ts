import { ApiError } from "#lib/contract/error/api-error";
import type { WebhookMethod } from "#lib/contract/trigger/trigger";

const DEFAULT: readonly WebhookMethod[] = ["POST"];

/**
 * Checks that requests with a method start runs.
 * @param methods those of the trigger
 * @throws ApiError METHOD_NOT_ALLOWED, with the methods in `details`
 */
export function assertMethod(methods: readonly WebhookMethod[] | null | undefined, method: string): void {
  const allowed: readonly string[] = methods ?? DEFAULT;
  if (allowed.includes(method)) return;
  const message = `This path supports ${allowed.join(", ")}.`;
  throw new ApiError("METHOD_NOT_ALLOWED", message, { details: { allow: allowed } });
}
