import { serveDirectly } from "#lib/api/edge/direct-routes";
import { answerWebhook } from "#lib/api/webhooks/answer-webhook";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDirectly(/^\/webhooks\/./, answerWebhook);
