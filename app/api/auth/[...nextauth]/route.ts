import { authRoute } from "#lib/api/auth/auth-route";

export const GET = authRoute;
export const POST = authRoute;
export const PUT = authRoute;
export const PATCH = authRoute;
export const DELETE = authRoute;
export const OPTIONS = authRoute;
