import { metricsRoute } from "#lib/surfaces/metrics-route";

export const dynamic = "force-dynamic";
export const GET = metricsRoute;
