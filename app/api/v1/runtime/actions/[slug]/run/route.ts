import { runActionOperation } from "#lib/operations/actions";
import { otherMethods, restRoute } from "#lib/surfaces/rest-route";

export const POST = restRoute(runActionOperation);
export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods("POST");
