import { ApiError } from "#lib/contract/error/api-error";
import { uuidv7 } from "#lib/support/ids";
import { shareInProcess } from "#lib/support/share-in-process";

export type DirectAnswer = (request: Request) => Response | Promise<Response>;

interface DirectRoute {
  paths: RegExp;
  answer: DirectAnswer;
}

/** The methods that Next.js knows. It refuses others itself. */
export const DIRECT_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

// The routes are in the bundle of Next.js, the server is not.
const routes = shareInProcess("directRoutes", () => new Map<string, DirectRoute>());

/**
 * Lets the edge server call a route itself. Next.js takes two thirds of the time of a request that only needs its
 * answer, so programs' requests bypass it in production. `next dev` calls the same function.
 * @param paths that have no other route
 * @returns what the route's file exports: the function for each method
 */
export function serveDirectly(
  paths: RegExp,
  answer: DirectAnswer,
): Record<(typeof DIRECT_METHODS)[number], DirectAnswer> {
  routes.set(paths.source, { paths, answer });
  return { GET: answer, HEAD: answer, POST: answer, PUT: answer, PATCH: answer, DELETE: answer, OPTIONS: answer };
}

/** Returns an answer that refuses all other methods. HEAD is GET without the body, which the server leaves out. */
export function forMethods(answers: { [Method in (typeof DIRECT_METHODS)[number]]?: DirectAnswer }): DirectAnswer {
  const byMethod = new Map<string, DirectAnswer>(Object.entries(answers));
  return (request) => {
    const answer = byMethod.get(request.method === "HEAD" ? "GET" : request.method);
    if (answer) return answer(request);
    const allowed = [...byMethod.keys()];
    const error = new ApiError("METHOD_NOT_ALLOWED", `This path supports ${allowed.join(" and ")}.`);
    const headers = { allow: allowed.join(", "), "cache-control": "no-store", "x-request-id": uuidv7() };
    return Response.json(error.toBody(), { status: error.status, headers });
  };
}

/** Returns the function that answers a path, or null if Next.js has to. */
export function findDirectRoute(method: string | undefined, pathname: string): DirectAnswer | null {
  if (!DIRECT_METHODS.some((known) => known === method)) return null;
  for (const { paths, answer } of routes.values()) if (paths.test(pathname)) return answer;
  return null;
}
