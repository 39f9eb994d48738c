import { serveDirectly } from "#lib/api/edge/direct-routes";
import { answerCallback } from "#lib/api/webhooks/callback-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDirectly(/^\/callbacks\/[^/]+$/, answerCallback);
