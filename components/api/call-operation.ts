import type { WebOperations } from "#lib/api/operations/web-operations";
import { postJson } from "@/components/api/post-json";

/**
 * Calls one operation of the server.
 * @throws ClientError with the server's code and message, or NETWORK if no answer came
 */
export async function callOperation<K extends keyof WebOperations>(
  name: K,
  input: WebOperations[K]["input"],
  options: { signal?: AbortSignal } = {},
): Promise<WebOperations[K]["output"]> {
  return (await postJson(`/api/web/${name}`, input, options.signal)) as WebOperations[K]["output"];
}
