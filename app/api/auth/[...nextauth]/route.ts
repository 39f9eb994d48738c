import { authRoute } from "#lib/surfaces/auth-route";

export const GET = authRoute;
export const POST = authRoute;
