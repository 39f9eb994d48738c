import type { TemplateObject } from "#lib/contract/workflow/template";
import { draw, step } from "#lib/core/templates/draw";

const SCORE = `export default async (input: { employees: number; budget: number; source: string }) => {
  const points = [
    { when: input.employees >= 50, points: 40, reason: "50 employees or more" },
    { when: input.budget >= 10_000, points: 40, reason: "a budget of 10,000 or more" },
    { when: input.source === "referral", points: 20, reason: "referred by a customer" },
  ].filter((rule) => rule.when);
  return {
    score: points.reduce((sum, rule) => sum + rule.points, 0),
    reasons: points.map((rule) => rule.reason),
  };
};
`;

export const qualifyLead: TemplateObject = {
  template_id: "qualify-lead",
  name: "Qualify a lead",
  about: "Scores a lead in code, qualifies it by its score, and explains why.",
  purpose: "sales",
  starts: "call",
  needs: [],
  sample_input: { company: "Acme", employees: 120, budget: 15000, source: "referral" },
  definition: draw(
    [
      step("lead", "action_input", {
        name: "Lead",
        properties: [
          { name: "company", type: "string", required: true },
          { name: "employees", type: "integer", required: true },
          { name: "budget", type: "number", required: true, description: "Budget per year, in your currency" },
          {
            name: "source",
            type: "string",
            enum: ["referral", "website", "event"],
            default: "website",
            required: false,
          },
        ],
      }),
      step("score", "code", {
        name: "Score",
        source: SCORE,
        input: {
          employees: "{{action_input.employees}}",
          budget: "{{action_input.budget}}",
          source: "{{action_input.source}}",
        },
      }),
      step("is_good", "condition", {
        name: "Worth a call?",
        match: "all",
        rules: [{ left: "{{score.score}}", operator: "greater_or_equal", right: 60 }],
      }),
      step("qualified", "return_output", {
        name: "Qualified",
        properties: [
          { name: "qualified", type: "boolean", required: true, value: true },
          { name: "score", type: "integer", required: true, value: "{{score.score}}" },
          { name: "reasons", type: "array", required: true, value: "{{score.reasons}}" },
          { name: "next_step", type: "string", required: true, value: "Call {{action_input.company}} today." },
        ],
      }),
      step("nurture", "return_output", {
        name: "Not qualified",
        properties: [
          { name: "qualified", type: "boolean", required: true, value: false },
          { name: "score", type: "integer", required: true, value: "{{score.score}}" },
          { name: "reasons", type: "array", required: true, value: "{{score.reasons}}" },
          { name: "next_step", type: "string", required: true, value: "Send {{action_input.company}} the newsletter." },
        ],
      }),
    ],
    "lead>score",
    "score>is_good",
    "is_good.true>qualified",
    "is_good.false>nurture",
  ),
};
