import { listRunsOperation } from "#lib/operations/runs";
import { otherMethods, restRoute } from "#lib/surfaces/rest-route";

export const GET = restRoute(listRunsOperation);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
