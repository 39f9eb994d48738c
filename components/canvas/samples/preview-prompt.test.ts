import { expect, test } from "vitest";
import { analyse } from "@/components/canvas/document/analysis";
import { branchingDefinition } from "@/components/canvas/document/test-definition";
import { previewPrompt } from "@/components/canvas/samples/preview-prompt";

const ANALYSIS = analyse(branchingDefinition());
const KNOWN = {
  pins: {
    refund: { value: { status: 200, body: { to: "[REDACTED_EMAIL]", list: [1, 2], none: null } }, fromRunId: null },
  },
  results: {},
  samples: {},
};

const preview = (data: Record<string, unknown>, loops: string[] = []) => previewPrompt(data, ANALYSIS, KNOWN, loops);

test("the messages match what the step would send: values as text, redactions kept, escaped braces literal", () => {
  const { messages, missing } = preview({
    system: "Be brief.",
    prompt: "To {{refund.body.to}}: {{ refund.body.list }}, \\{{refund}}",
  });
  expect(missing).toEqual([]);
  expect(messages).toMatchObject([
    { role: "system", parts: [{ kind: "text", text: "Be brief." }] },
    {
      role: "user",
      parts: [
        { kind: "text", text: "To " },
        { kind: "value", source: "{{refund.body.to}}", text: "[REDACTED_EMAIL]" },
        { kind: "text", text: ": " },
        { kind: "value", source: "{{ refund.body.list }}", text: "[1,2]" },
        { kind: "text", text: ", {{refund}}" },
      ],
    },
  ]);
});

test("unknown values are marked with the reason and not counted", () => {
  const prompt = "{{over_500.result}}{{refund.body.none}}{{nobody.x}}{{refund.status}}";
  const { messages, tokens, missing } = preview({ prompt }, []);
  expect(messages[0]?.parts.map((part) => (part.kind === "missing" ? part.reason : part.text))).toEqual([
    "Run Over 500 to see this value",
    "Refund returned no value here",
    "This step doesn't exist",
    "200",
  ]);
  expect({ tokens, missing: missing.length }).toEqual({ tokens: 1, missing: 3 });
  expect(preview({ prompt: "{{refund.item}}" }, ["refund"]).messages[0]?.parts[0]).toMatchObject({
    reason: "Different for each item of Refund",
  });
});

test("an empty step has no messages, and letters of other scripts count as more tokens", () => {
  expect(preview({ system: "", prompt: 7 })).toEqual({ messages: [], tokens: 0, missing: [] });
  expect(preview({ prompt: "x".repeat(400) }).tokens).toBe(100);
  expect(preview({ prompt: "ж".repeat(400) }).tokens).toBe(200);
});
