import type { WrittenPlace } from "#lib/contract/action/field-places";
import type { Shape } from "#lib/core/shapes/shape";

/** What a parameter accepts. Numbers and booleans count as text, and a text that spells a number as a number. */
export type ArgumentKind = "text" | "number" | "list" | "object";

export interface Parameter {
  name: string;
  /** Every kind that is accepted; null for any value. */
  accepts: readonly ArgumentKind[] | null;
  isOptional?: true;
  /** True if null is an ordinary value. For other parameters, a null makes the whole result null. */
  takesNull?: true;
  /** Returns why a constant is wrong, as the end of a sentence; null if it is not. */
  check?: (constant: string | number | boolean) => string | null;
}

/** The arguments of one call, read as the function needs them. A value that does not fit is a StepError. */
export interface CallArguments {
  /** True if the argument was given. */
  has: (at: number) => boolean;
  value: (at: number) => unknown;
  text: (at: number) => string;
  number: (at: number) => number;
  /** A number as it is written, with all of its digits. */
  digits: (at: number) => string;
  /** A whole number of the range. */
  integer: (at: number, min: number, max: number) => number;
  list: (at: number) => readonly unknown[];
  /** Converts any value to its form within a text. */
  write: (value: unknown) => string;
  /** Charges work that grows with the data, as characters. */
  spend: (characters: number) => void;
  /** Returns the error for an argument, with a reason such as "must be a date". */
  refuse: (at: number, reason: string) => Error;
}

/** A function that expressions can call: pure, and in time linear to its arguments. */
export interface ExpressionFunction {
  name: string;
  parameters: readonly Parameter[];
  description: string;
  /** An expression without its braces, which reads the example data if it needs any, and its value. */
  example: { expression: string; value: unknown };
  run: (args: CallArguments) => unknown;
  /** The texts in which its result stays as it is, because it is written for them already. */
  writesFor?: readonly WrittenPlace[];
  /** The shape of the result if no argument is null. */
  result: (args: readonly Shape[]) => Shape;
}
