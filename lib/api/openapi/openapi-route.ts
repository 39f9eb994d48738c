import { createHash } from "node:crypto";
import { describeApi } from "#lib/api/openapi/openapi-document";
import { listActionsOperation } from "#lib/api/operations/actions";
import type { KeyCaller, RequestContext } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { answerAdmitted } from "#lib/api/rest/rest-route";
import type { ActionObject } from "#lib/contract/action/action";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Page } from "#lib/contract/wire/page";
import { env } from "#lib/platform/config/env";
import { uuidv7 } from "#lib/support/ids";

/** Changes only with the build. */
const PUBLIC_SECONDS = 300;
/** Pages of actions in one document: no reader needs more than a thousand paths. */
const MAX_PAGES = 10;

/**
 * Serves `GET /openapi.json`. Without a key it is the public document, which caches and browsers of any origin may
 * read. With a key it is an answer like any other of the runtime API, and a key with actions:read also gets its own
 * actions.
 */
export async function openApiRoute(request: Request): Promise<Response> {
  if (!request.headers.has("authorization")) return answerPublic(request);
  const response = await answerAdmitted(request, async ({ caller, context }) => ({
    status: 200,
    output: describeApi(env().PUBLIC_BASE_URL, await listVisible(caller, context)),
  }));
  response.headers.set("vary", "authorization");
  return response;
}

let generic: { text: string; etag: string } | null = null;

function answerPublic(request: Request): Response {
  generic ??= printed(JSON.stringify(describeApi(env().PUBLIC_BASE_URL)));
  const headers = {
    "cache-control": `public, max-age=${PUBLIC_SECONDS}`,
    etag: generic.etag,
    vary: "authorization",
    "access-control-allow-origin": "*",
    "x-request-id": uuidv7(),
  };
  const isKnown = request.headers.get("if-none-match")?.includes(generic.etag) ?? false;
  if (isKnown) return new Response(null, { status: 304, headers });
  return new Response(generic.text, { headers: { ...headers, "content-type": "application/json" } });
}

function printed(text: string): { text: string; etag: string } {
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
}

async function listVisible(caller: KeyCaller, context: RequestContext): Promise<ActionObject[]> {
  if (!caller.scopes.includes("actions:read")) return [];
  const actions: ActionObject[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const raw: JsonObject = { limit: LIMITS.pageSizeMax, ...(cursor === null ? {} : { cursor }) };
    const shown: Page<ActionObject> = await invoke(listActionsOperation, caller, raw, context);
    actions.push(...shown.data);
    cursor = shown.next_cursor;
    if (cursor === null) break;
  }
  return actions;
}
