import { metricsRoute } from "#lib/api/health/metrics-route";

export const dynamic = "force-dynamic";
export const GET = metricsRoute;
