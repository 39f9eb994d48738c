import type { RequestContext } from "#lib/api/operations/define/caller";
import { findUnknownFields } from "#lib/api/operations/define/find-unknown-fields";

/** For tests: the context of a request on a surface that refuses unknown fields, as MCP and the web application do. */
export function requestContext<More extends Partial<RequestContext>>(more?: More) {
  return { requestId: "r", findUnknownFields, ...more } as RequestContext & More;
}
