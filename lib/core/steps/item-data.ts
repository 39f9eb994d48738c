import { z } from "zod";
import type { OutputField } from "#lib/core/steps/define-step-kind";

/** A template that gives an array, or the array itself. */
export const listTemplate = z
  .unknown()
  .refine((items) => items !== undefined && items !== null && items !== "", "is required");

/** What a step that works through a list gives while it does (decisions, The graph document: loop). */
export const ITEM_FIELDS: readonly OutputField[] = [
  { path: ["item"], type: null, description: "The item of this iteration" },
  { path: ["index"], type: "integer", description: "Which iteration this is, from 0" },
];
