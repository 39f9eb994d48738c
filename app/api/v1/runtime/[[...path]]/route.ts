import { serveDirectly } from "#lib/api/edge/direct-routes";
import { answerRuntime } from "#lib/api/runtime/answer-runtime";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDirectly(
  /^\/api\/v1\/runtime(?:\/|$)/,
  answerRuntime,
);
