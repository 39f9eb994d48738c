import { approveRunOperation } from "#lib/operations/run-decisions";
import { otherMethods, restRoute } from "#lib/surfaces/rest-route";

export const POST = restRoute(approveRunOperation);
export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods("POST");
