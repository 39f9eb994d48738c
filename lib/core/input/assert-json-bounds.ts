import { ApiError } from "#lib/contract/api-error";
import { describeJsonExcess, findJsonExcess } from "#lib/support/scan-json";

/**
 * Refuses a JSON text before it is parsed.
 * @param what the text that is refused, at the start of the message
 * @throws ApiError BAD_REQUEST if it is nested too deeply, PAYLOAD_TOO_LARGE if it contains too many values
 */
export function assertJsonBounds(text: string, what = "The body"): void {
  const excess = findJsonExcess(text);
  if (excess === null) return;
  const code = excess === "depth" ? "BAD_REQUEST" : "PAYLOAD_TOO_LARGE";
  throw new ApiError(code, `${what} ${describeJsonExcess(excess)}`);
}
