import { runActionsOperation } from "#lib/api/operations/calls/run-actions";
import { otherMethods, restRoute } from "#lib/api/rest/rest-route";

export const POST = restRoute(runActionsOperation);
export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods("POST");
