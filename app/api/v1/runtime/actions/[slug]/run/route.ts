import { runActionOperation } from "#lib/api/operations/calls/run-action";
import { otherMethods, restRoute } from "#lib/api/rest/rest-route";

export const POST = restRoute(runActionOperation);
export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods("POST");
