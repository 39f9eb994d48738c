import { ApiError } from "#lib/contract/error/api-error";

/** The same answer for a workflow that is unknown, deleted, or in another workspace. */
export function workflowNotFound(): ApiError {
  return new ApiError("NOT_FOUND", "There is no workflow with this id.");
}
