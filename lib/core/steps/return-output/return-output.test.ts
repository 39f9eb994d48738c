import { describe, expect, test } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import { completeNode } from "#lib/core/graph/graph.fixture";
import { prepareReturnOutput } from "#lib/core/steps/return-output/return-output";

const scope = { price: { total: 5, vat: null }, list: [1] };

function outputOf(property: object) {
  const prepared = prepareReturnOutput(
    completeNode("out", "return_output", { properties: [{ name: "total", type: "number", ...property }] }),
  );
  return prepared.resolveInput(scope, {}, []);
}

function refusal(value: unknown): { reason: string; message: string } {
  try {
    outputOf({ required: true, value });
  } catch (error) {
    if (error instanceof StepError) return error;
  }
  throw new Error("it was not refused");
}

describe("a required output property", () => {
  test("that does not resolve fails the step with the path, where it stopped and what was there", () => {
    expect(refusal("{{price.totl}}")).toMatchObject({
      code: "VALIDATION_ERROR",
      reason: "output_missing",
      message: "total is required, but price.totl does not exist. price is {total, vat}.",
    });
    expect(refusal("{{prize.total}}").message).toBe(
      "total is required, but prize.total does not exist. The steps with an output are {price, list}.",
    );
    expect(refusal("{{list[1].x}}").message).toBe(
      "total is required, but list[1].x does not exist. list is a list of 1.",
    );
  });

  test("that is null fails the step and says so", () => {
    expect(refusal("{{price.vat}}").message).toBe("total is required, but its value is null: {{price.vat}}");
    expect(refusal(null).message).toBe("total is required, but its value is null: ");
  });

  test("can be false, zero or empty", () => {
    for (const value of [false, 0, "", []]) expect(outputOf({ required: true, value })).toEqual({ total: value });
  });
});

test("an output property of a definition that does not say whether it is required may be null", () => {
  expect(outputOf({ value: "{{price.totl}}" })).toEqual({ total: null });
});
