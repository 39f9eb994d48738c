import { listActionsOperation } from "#lib/operations/actions";
import { otherMethods, restRoute } from "#lib/surfaces/rest-route";

export const GET = restRoute(listActionsOperation);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
