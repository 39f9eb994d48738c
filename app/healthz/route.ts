import { healthRoute } from "#lib/surfaces/health-routes";

export const dynamic = "force-dynamic";
export const GET = healthRoute;
