/** For tests: a code step that adds VAT to an amount. */
export function vatStep(id: string, amount: string) {
  return { id, type: "code", data: { source: "return { total: input.amount * 1.2 };", input: { amount } } };
}

const start = {
  id: "start",
  type: "action_input",
  data: { properties: [{ name: "amount", type: "number", required: true }] },
};
const answer = (value: string) => ({
  id: "answer",
  type: "return_output",
  data: { properties: [{ name: "total", type: "number", value }] },
});

/** Three steps as an agent writes them, without positions and with short edge ids. */
export const SHIPPING = {
  nodes: [start, vatStep("price", "{{action_input.amount}}"), answer("{{price.total}}")],
  edges: [
    { id: "1", source: "start", target: "price" },
    { id: "2", source: "price", target: "answer" },
  ],
};

/** Returns the same steps with a reference to a step that does not exist. */
export function wrongly({ nodes, edges }: typeof SHIPPING) {
  return { nodes: [...nodes.slice(0, 2), answer("{{tax.total}}")], edges };
}

const STEPS = Array.from({ length: 11 }, (_, at) => {
  const amount = at === 0 ? "{{action_input.amount}}" : `{{s${at - 1}.total}}`;
  return { id: `s${at}`, type: "code", data: { source: "return { total: input.amount + 1 };", input: { amount } } };
});

/** Eleven code steps between an input and an output. */
export const BUILD_13_STEPS = {
  nodes: [start, ...STEPS, answer("{{s10.total}}")],
  edges: ["start", ...STEPS.map(({ id }) => id)].map((source, at) => ({
    id: String(at),
    source,
    target: STEPS[at]?.id ?? "answer",
  })),
};

/** A loop with one step in its body. */
export const LOOPED = {
  nodes: [
    { id: "start", type: "action_input", data: { properties: [{ name: "lines", type: "array", required: true }] } },
    { id: "each", type: "loop", data: { items: "{{action_input.lines}}", result: "{{price.total}}" } },
    { ...vatStep("price", "{{each.item.price}}"), parentId: "each" },
    {
      id: "answer",
      type: "return_output",
      data: { properties: [{ name: "count", type: "number", value: "{{each.count}}" }] },
    },
  ],
  edges: [
    { id: "1", source: "start", target: "each" },
    { id: "2", source: "each", target: "answer" },
  ],
};
