import type { Piece, PlacedValue } from "#lib/core/expressions/places/piece";
import type { TemplateBudget } from "#lib/core/expressions/template-budget";

/** What a text is written with. */
export interface WritingContext {
  /** The field, for errors. */
  field: string;
  budget: TemplateBudget;
}

/** Writes texts of one language, in which a value is only data. */
export interface PlaceWriter {
  /**
   * Joins the parts of a text. The author's parts stay as they are.
   * @throws StepError VALIDATION_ERROR naming the expression whose value its place can't hold
   */
  write(pieces: readonly Piece[], context: WritingContext): string;
  /**
   * Returns the value of a template that is one expression, if it is not a text. Without this function, the value stays as
   * it is.
   */
  writeValue?(placed: PlacedValue, context: WritingContext): unknown;
}
