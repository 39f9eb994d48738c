import { readinessRoute } from "#lib/api/health/health-routes";

export const dynamic = "force-dynamic";
export const GET = readinessRoute;
