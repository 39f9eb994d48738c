import { healthRoute } from "#lib/api/health/health-routes";

export const dynamic = "force-dynamic";
export const GET = healthRoute;
