import { type ObjectShape, type Shape, type ShapeField, scalar, UNKNOWN } from "#lib/core/shapes/shape";

function field(shape: Shape, description: string, isOptional = true): ShapeField {
  return { shape, isOptional, description };
}

/** The shape of a step's error, as the steps after it read it (decisions, The graph document). */
export const STEP_ERROR_SHAPE: ObjectShape = {
  kind: "object",
  fields: new Map([
    ["code", field(scalar("string"), "The class of the error, for example RATE_LIMITED", false)],
    ["reason", field(scalar("string"), "What happened exactly, for example circuit_open", false)],
    ["message", field(scalar("string"), "The error in words", false)],
    ["status", field(scalar("integer"), "The HTTP status that the service answered with")],
    ["body", field(UNKNOWN, "What the service answered")],
    ["retryAfterMs", field(scalar("number"), "How long the service asked to wait, in milliseconds")],
    ["line", field(scalar("integer"), "The line of the step's code that threw it")],
  ]),
  rest: null,
};
