import { z } from "zod";
import { type ServiceRequest, sendToService } from "#lib/connectors/sdk/call-service";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { parseResponseBody } from "#lib/connectors/sdk/parse-response-body";
import { statusError } from "#lib/connectors/sdk/status-error";
import type { StepError } from "#lib/contract/run/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";

const NO_CONTENT = 204;
const WORDS_CHARACTERS = 300;

/** https://www.kommo.com/developers/content/api_v4/errors/: application/problem+json. */
const problem = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  "validation-errors": z
    .array(z.object({ errors: z.array(z.object({ path: z.string().nullish(), detail: z.string().nullish() })) }))
    .optional(),
});

/**
 * Sends one request to the API of a Kommo account.
 * @returns the response body; null for an empty response (204), which is also how Kommo responds to an unknown id
 * @throws StepError with Kommo's message and the rejected field
 */
export async function callKommo(service: ServiceContext, request: ServiceRequest): Promise<unknown> {
  const response = await sendToService(service, {
    ...request,
    readError: (answer, host) => readError(answer, host, service.now()),
  });
  return response.status === NO_CONTENT ? null : parseResponseBody(response);
}

/**
 * Requests a single object; an unknown id is an error.
 * @throws StepError VALIDATION_ERROR
 */
export async function getFromKommo(service: ServiceContext, request: ServiceRequest): Promise<unknown> {
  const found = await callKommo(service, request);
  if (found !== null) return found;
  throw new AnsweredError("VALIDATION_ERROR", `id: Kommo found nothing at ${request.path}`);
}

function readError(response: OutgoingResponse, host: string, now: Date): StepError | null {
  if (response.status < 400) return null;
  return statusError(host, response, now, wordsOf(response));
}

function wordsOf(response: OutgoingResponse): string | undefined {
  const told = problem.safeParse(safeBody(response)).data;
  if (!told) return undefined;
  const refused = told["validation-errors"]?.flatMap(({ errors }) => errors) ?? [];
  const fields = refused.map(({ path, detail }) => `${path ?? "request"}: ${detail ?? "is invalid"}`);
  const words = fields.length > 0 ? fields.join("; ") : (told.detail ?? told.title);
  return words?.slice(0, WORDS_CHARACTERS);
}

function safeBody(response: OutgoingResponse): unknown {
  try {
    return parseResponseBody(response);
  } catch {
    return null;
  }
}
