import { getActionOperation } from "#lib/operations/actions";
import { otherMethods, restRoute } from "#lib/surfaces/rest-route";

export const GET = restRoute(getActionOperation);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
