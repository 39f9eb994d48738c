import { z } from "zod";

/** Inputs that select the field whose options are listed. */
export const optionsInput = {
  field: z.string().min(1).max(100).describe("Name of one of the operation's params."),
  params: z.record(z.string().max(100), z.unknown()).describe("The params that are already known."),
  query: z.string().trim().max(200).describe("Words that the options must contain."),
  cursor: z.string().max(2_000).describe("next_cursor of the previous page."),
};
