import { z } from "zod";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";

const CHARACTERS = 300;
const spelled = z.object({ message: z.string() });
/** How most APIs say what is wrong: in `error.message`, in `error` itself, or in `message`. */
const errorBody = z.union([
  z.object({ error: spelled }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  spelled.transform(({ message }) => message),
]);

/** The other side's own sentence about what is wrong, where its answer holds one. */
export function errorWords(response: Pick<OutgoingResponse, "body">): string | undefined {
  try {
    const words = errorBody.safeParse(JSON.parse(response.body.toString("utf8"))).data;
    return words?.replace(/\s+/g, " ").trim().slice(0, CHARACTERS);
  } catch {
    return undefined;
  }
}
