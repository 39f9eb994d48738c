import { measureRequest } from "#lib/api/admission/measure-request";
import { openApiRoute } from "#lib/api/openapi/openapi-route";
import { DESCRIPTION_PATH } from "#lib/api/openapi/openapi-self";
import type { Operation } from "#lib/api/operations/define/define-operation";
import { RUNTIME_OPERATIONS } from "#lib/api/operations/runtime-operations";
import { answerOtherMethod, type RestHandler, RUNTIME_PREFIX, restRoute, unknownRoute } from "#lib/api/rest/rest-route";
import { type MatchPath, matchPath } from "#lib/support/match-path";

interface RuntimePath {
  /** As the span of a request names it. */
  route: string;
  match: MatchPath;
  handlers: Map<string, RestHandler>;
}

/** Every path of the runtime API, from the REST bindings of the operations. */
const PATHS: readonly RuntimePath[] = listPaths();

/** Answers every request to a path under /api/v1/runtime. */
export async function answerRuntime(request: Request): Promise<Response> {
  const given = new URL(request.url).pathname.slice(RUNTIME_PREFIX.length);
  for (const { route, match, handlers } of PATHS) {
    const params = match(given);
    if (!params) continue;
    // HEAD is GET without the body, which the server leaves out.
    const handler = handlers.get(request.method === "HEAD" ? "GET" : request.method);
    return measureRequest(request, route, () =>
      handler ? handler(request, params) : answerOtherMethod(request, [...handlers.keys()]),
    );
  }
  return measureRequest(request, `${RUNTIME_PREFIX}/*`, () => unknownRoute(request));
}

function listPaths(): RuntimePath[] {
  const bound = RUNTIME_OPERATIONS.flatMap((operation: Operation) =>
    operation.rest ? [{ ...operation.rest, handler: restRoute(operation) }] : [],
  );
  const all = [...bound, { path: DESCRIPTION_PATH, method: "GET", handler: openApiRoute }];
  return [...Map.groupBy(all, ({ path }) => path)].map(([path, routes]) => ({
    route: RUNTIME_PREFIX + path,
    match: matchPath(path),
    handlers: new Map(routes.map(({ method, handler }) => [method, handler])),
  }));
}
