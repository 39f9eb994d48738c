import { z } from "zod";

/** The label that every node can have (decisions, The graph document). */
export const label = { name: z.string().max(200, "must be at most 200 characters long").optional() };

/** Settings of every step between the start and the outputs of a workflow. A run passes a disabled step by. */
export const stepSettings = { ...label, disabled: z.boolean().default(false) };
