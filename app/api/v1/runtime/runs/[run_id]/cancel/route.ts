import { cancelRunOperation } from "#lib/api/operations/run-decisions";
import { otherMethods, restRoute } from "#lib/api/rest/rest-route";

export const POST = restRoute(cancelRunOperation);
export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods("POST");
