import { readinessRoute } from "#lib/surfaces/health-routes";

export const dynamic = "force-dynamic";
export const GET = readinessRoute;
