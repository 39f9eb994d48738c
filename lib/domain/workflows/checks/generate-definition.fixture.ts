import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import type { SeededRandom } from "#lib/support/seeded-random.fixture";

/** Expressions that earlier steps provide, by their value's type. */
interface Known {
  text: string[];
  number: string[];
  list: string[];
}

/**
 * Generates a workflow without mistakes: a chain of random steps. Each step reads values of earlier steps.
 * @param least the minimum number of steps, by default a random one
 */
export function generateDefinition(random: SeededRandom, least = 1 + random.below(20)): Definition {
  const known: Known = {
    text: ["{{action_input.name}}", "{{start.name}}"],
    number: ["{{action_input.count}}"],
    list: ["{{action_input.list}}"],
  };
  const start = completeNode("start", "action_input", {
    properties: [
      { name: "name", type: "string", required: true },
      { name: "count", type: "integer", required: random.next() < 0.5, default: 3 },
      { name: "list", type: "array", required: true, items: { type: "string" } },
    ],
  });
  const steps: GraphNode[] = [];
  for (let at = 0; steps.length < least; at += 1) steps.push(...stepAt(`s${at}`, random, known));
  const end = completeNode("end", "return_output", {
    properties: [
      { name: "text", type: "string", value: random.pick(known.text) },
      { name: "number", type: "number", value: random.pick(known.number) },
      { name: "list", type: "array", value: random.pick(known.list) },
      { name: "all", type: "string", value: `${random.pick(known.text)}: ${random.pick(known.list)}` },
    ],
  });
  const chain = ["start", ...steps.filter(({ parentId }) => parentId === undefined).map(({ id }) => id), "end"];
  return definition(
    [start, ...steps, end],
    chain.slice(1).map((id, at) => `${chain[at]} > ${id}`),
  );
}

function stepAt(id: string, random: SeededRandom, known: Known): GraphNode[] {
  const [text, number, list] = [random.pick(known.text), random.pick(known.number), random.pick(known.list)];
  switch (random.below(8)) {
    case 0:
      known.text.push(`{{${id}.a}}`, `{{ ${id}["c d"] }}`);
      known.number.push(`{{${id}.b}}`);
      known.list.push(`{{${id}.l}}`);
      return [
        completeNode(id, "transform", {
          fields: [
            { name: "a", value: `${text}!` },
            { name: "b", value: number },
            { name: "c d", value: text },
            { name: "l", value: list },
          ],
        }),
      ];
    case 1: {
      const continueOnFailure = random.next() < 0.2;
      const [none, zero] = continueOnFailure ? [' ?? "none"', " ?? 0"] : ["", ""];
      known.number.push(`{{${id}.status${zero}}}`, `{{${id}.body.total${zero}}}`);
      known.text.push(`{{${id}.body.items[0].name${none}}}`, `{{${id}.headers.etag${none}}}`);
      const params = {
        method: "POST",
        url: `https://a.test/${text}`,
        query: { n: number },
        body: { list, any: [text] },
      };
      return [completeNode(id, "connector", { params, continueOnFailure })];
    }
    case 2: {
      const properties = { label: { type: "string" }, score: { type: "number" } };
      const required = ["label", "score"];
      known.text.push(`{{${id}.text}}`, `{{${id}.object.label}}`);
      known.number.push(`{{${id}.object.score}}`, `{{${id}.usage.total_tokens}}`);
      return [completeNode(id, "llm", { prompt: text, output_schema: { type: "object", properties, required } })];
    }
    case 3:
      known.number.push(`{{${id}.sum}}`);
      known.text.push(`{{${id}.label}}`);
      return [
        completeNode(id, "code", {
          source:
            "if (!input.n) return { sum: 0, label: '' };\nconst label = input.t + '';\nreturn { sum: input.n + 1, label };",
          input: { n: number, t: text },
        }),
      ];
    case 4:
      known.list.push(`{{${id}.items}}`);
      known.number.push(`{{${id}.count}}`);
      return [
        completeNode(id, "filter", {
          items: list,
          rules: [{ left: `{{${id}.item}}`, operator: "contains", right: text }],
        }),
      ];
    case 5:
      known.list.push(`{{${id}.results}}`);
      return [
        completeNode(id, "loop", { items: list, result: `{{${id}_in.v}}` }),
        {
          ...completeNode(`${id}_in`, "transform", { fields: [{ name: "v", value: `{{${id}.item}} ${text}` }] }),
          parentId: id,
        },
      ];
    case 6:
      known.text.push(`{{${id}.name}}`);
      return [{ ...completeNode(id, "transform"), data: { jsonata: "{ 'name': $uppercase(action_input.name) }" } }];
    default:
      known.text.push(`{{${id}.until}}`);
      return [completeNode(id, "delay", { seconds: random.pick([1, "2", number]) })];
  }
}
