import { listActionsOperation } from "#lib/api/operations/actions";
import { otherMethods, restRoute } from "#lib/api/rest/rest-route";

export const GET = restRoute(listActionsOperation);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
