import { z } from "zod";

/** What says which choices are asked for. */
export const optionsInput = {
  field: z.string().min(1).max(100).describe("One of the operation's params."),
  params: z.record(z.string().max(100), z.unknown()).describe("The params as far as they are known."),
  query: z.string().trim().max(200).describe("Words that the choices must hold."),
  cursor: z.string().max(2_000).describe("next_cursor of the page before."),
};
