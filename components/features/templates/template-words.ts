import type { TemplateObject, TemplatePurpose } from "#lib/contract/workflow/template";

export const START_WORDS: Record<TemplateObject["starts"], string> = {
  call: "Called",
  webhook: "Webhook",
  schedule: "Schedule",
  connector: "Event",
  form: "Form",
  failure: "Failure",
};

export const PURPOSE_WORDS: Record<TemplatePurpose, string> = {
  basics: "Basics",
  sales: "Sales",
  support: "Support",
  operations: "Operations",
  data: "Data",
  ai: "AI",
  approvals: "Approvals",
};

/** Returns the connectors that the trigger and the steps of a template use, each one once. */
export function appsOf({ definition }: TemplateObject): string[] {
  const used = definition.nodes.map(({ data }) => data.connector);
  return [...new Set(used.filter((connector) => typeof connector === "string"))];
}

/** Joins everything by which a template is found: what its card shows, without the drawing and the buttons. */
export function searchTextOf(template: TemplateObject, appNames: readonly string[]): string {
  const { name, about, purpose, starts } = template;
  return [name, about, PURPOSE_WORDS[purpose], START_WORDS[starts], ...appNames].join(" ").toLowerCase();
}
