import { StepError } from "#lib/contract/run/step-error";

/** A value of an expression, which is data in the place where it is written. */
export interface PlacedValue {
  value: unknown;
  /** The expression, as the author wrote it. */
  source: string;
  /** True if a function encoded it for URLs already. */
  isEncoded?: boolean;
}

/** A part of a text: what the author wrote, or a value. */
export type Piece = string | PlacedValue;

const SHOWN_CHARACTERS = 80;

/** Returns the error for a value that its place can't hold. `problem` is the end of a sentence about the expression. */
export function refusePiece(field: string, source: string, problem: string): StepError {
  const shown = source.length > SHOWN_CHARACTERS ? `${source.slice(0, SHOWN_CHARACTERS - 1)}…` : source;
  return new StepError("VALIDATION_ERROR", `${field}: ${shown} ${problem}.`);
}
