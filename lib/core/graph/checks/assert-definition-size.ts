import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { Definition } from "#lib/contract/workflow/graph";
import { formatBytes } from "#lib/support/format/format-number";
import { exceedsJsonBytes } from "#lib/support/json-text/measure-json";

/**
 * Refuses a draft that many small changes made too large: a request is limited, but operations add to what is stored.
 * @throws ApiError PAYLOAD_TOO_LARGE
 */
export function assertDefinitionSize(definition: Definition): void {
  if (!exceedsJsonBytes(definition, LIMITS.definitionBytes)) return;
  const limit = formatBytes(LIMITS.definitionBytes);
  throw new ApiError(
    "PAYLOAD_TOO_LARGE",
    `The workflow would be larger than ${limit}. Shorten its longest texts, or move part of it into a sub-workflow.`,
  );
}
