import { openApiRoute } from "#lib/surfaces/openapi-route";
import { otherMethods } from "#lib/surfaces/rest-route";

export const GET = openApiRoute;
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
