import { approveRunOperation } from "#lib/api/operations/run-decisions";
import { otherMethods, restRoute } from "#lib/api/rest/rest-route";

export const POST = restRoute(approveRunOperation);
export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods("POST");
