import { listRunsOperation } from "#lib/api/operations/runs";
import { otherMethods, restRoute } from "#lib/api/rest/rest-route";

export const GET = restRoute(listRunsOperation);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
