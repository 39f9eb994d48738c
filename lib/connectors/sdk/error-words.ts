import { z } from "zod";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { parseBoundedJson } from "#lib/support/scan-json";

const CHARACTERS = 300;
const spelled = z.object({ message: z.string() });
/** The error formats of most APIs: the message is in `error.message`, in `error` itself, or in `message`. */
const errorBody = z.union([
  z.object({ error: spelled }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  spelled.transform(({ message }) => message),
]);

/** Returns the service's own error message, if its response contains one. */
export function errorWords(response: Pick<OutgoingResponse, "body">): string | undefined {
  try {
    const words = errorBody.safeParse(parseBoundedJson(response.body.toString("utf8"))).data;
    return words?.replace(/\s+/g, " ").trim().slice(0, CHARACTERS);
  } catch {
    return undefined;
  }
}
