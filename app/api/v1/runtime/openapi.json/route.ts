import { openApiRoute } from "#lib/api/openapi/openapi-route";
import { otherMethods } from "#lib/api/rest/rest-route";

export const GET = openApiRoute;
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
