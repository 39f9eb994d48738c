import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { type GraphOperation, graphOperationSchema } from "#lib/core/graph/edits/graph-operations";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { NO_SURROUNDINGS, type Surroundings } from "#lib/domain/workflows/checks/load-surroundings";

/** The workspace around the seeded definitions: one action that they call. */
export const SEEDED_SURROUNDINGS: Surroundings = {
  ...NO_SURROUNDINGS,
  otherSlugs: ["send-invoice"],
  actions: new Map([
    [
      "send-invoice",
      {
        slug: "send-invoice",
        status: "active",
        input_schema: {
          type: "object",
          properties: { email: { type: "string" }, total: { type: "number" } },
          required: ["email"],
        },
        output_schema: { type: "object", properties: { invoice_id: { type: "string" } } },
      },
    ],
  ]),
};

/** The connection of the steps that call a service. */
export const CONNECTION_ID = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

const RULE = { left: "{{action_input.amount}}", operator: "greater_than", right: 100 };
const NODES = [
  completeNode("start", "action_input", {
    properties: [
      { name: "email", type: "string", required: true },
      { name: "amount", type: "number", required: true },
      { name: "order", type: "object", required: true },
      { name: "tags", type: "array", required: true, items: { type: "string" } },
      { name: "discount", type: "number", required: false },
    ],
  }),
  completeNode("fetch", "connector", { params: { method: "GET", url: "https://example.com" }, maxRetries: 2 }),
  completeNode("model", "llm", {
    prompt: "{{action_input.email}}",
    output_schema: {
      type: "object",
      properties: { category: { type: "string" } },
      required: ["category"],
      additionalProperties: false,
    },
  }),
  completeNode("shape", "transform", { fields: [{ name: "total", value: "{{action_input.amount}}" }] }),
  completeNode("query", "transform", { fields: undefined, jsonata: "{ 'a': shape.total }" }),
  completeNode("work", "code", { source: "return { result: input.n };", input: { n: "{{shape.total}}" } }),
  completeNode("few", "filter", {
    items: "{{action_input.tags}}",
    rules: [{ left: "{{few.item}}", operator: "equals", right: "a" }],
  }),
  completeNode("each", "loop", { items: "{{few.items}}", result: "{{inner.tag}}" }),
  { ...completeNode("inner", "transform", { fields: [{ name: "tag", value: "{{each.item}}" }] }), parentId: "each" },
  completeNode("invoice", "sub_workflow", {
    action_slug: "send-invoice",
    input: { email: "{{action_input.email}}", total: "{{shape.total}}" },
  }),
  completeNode("notify", "connector", {
    connector: "telegram",
    operation: "send_message",
    connection_id: CONNECTION_ID,
    params: { chat_id: 1, text: "{{action_input.email}}" },
  }),
  completeNode("wait", "delay", { seconds: 1 }),
  completeNode("check", "condition", { rules: [RULE] }),
  completeNode("gate", "approval", { message: "{{model.object.category}}" }),
  completeNode("end", "return_output", {
    properties: [{ name: "total", type: "number", value: "{{shape.total}}" }],
  }),
  completeNode("small", "return_output", {
    properties: [{ name: "total", type: "number", value: "{{shape.total}}" }],
  }),
];
const PATH = "start fetch model shape query work few each invoice notify wait check".split(" ");

/** A workflow without problems that has a place for every kind of mistake. */
export const SEEDED: Definition = JSON.parse(
  JSON.stringify(
    definition(NODES, [
      ...PATH.slice(1).map((id, at) => `${PATH[at]} > ${id}`),
      "check.true > gate",
      "gate.approved > end",
      "check.false > small",
    ]),
  ),
);

/** A mistake as an edit of the seeded definition, and the place and text of the expected problem. */
export interface Mistake {
  name: string;
  operations: readonly GraphOperation[];
  node: string | undefined;
  field?: string | undefined;
  /** The correction, as a part of the message. */
  says: string;
}

/** Returns a mistake with a wrong value in a node's field. */
function wrong(name: string, node: string, field: string, value: unknown, says: string, reported = field): Mistake {
  const data: JsonObject = structuredClone(SEEDED.nodes.find(({ id }) => id === node)?.data ?? {});
  const keys = field.split(".");
  const last = keys.pop() ?? "";
  const holder = keys.reduce<JsonObject>((inner, key) => inner[key] as JsonObject, data);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  const top = field.split(".")[0] ?? "";
  const operations = [{ [top]: null }, { [top]: data[top] ?? null }].map((patch) =>
    graphOperationSchema.parse({ op: "update_node", node_id: node, data: patch }),
  );
  return { name, operations, node, field: reported, says };
}

/** Returns a mistake with a wrong edit of the graph. */
function drawn(name: string, operation: GraphOperation, node: string | undefined, says: string): Mistake {
  return { name, operations: [operation], node, says };
}

const OUT = "properties.0.value";
const returned = (name: string, expression: string, says: string) => wrong(name, "end", OUT, expression, says);
const chats = (name: string, field: string, value: unknown, says: string) =>
  wrong(name, "notify", `params.${field}`, value, says);
const asks = (name: string, field: string, value: unknown, says: string) =>
  wrong(name, "fetch", `params.${field}`, value, says);

const ruled = (name: string, rule: JsonObject, says: string) =>
  wrong(name, "check", "rules.0", rule, says, "rules.0.left");

/** Sets the value that the end of the true branch returns. */
const returns = (value: string): GraphOperation => ({
  op: "update_node",
  node_id: "end",
  data: { properties: [{ name: "total", type: "number", value }] },
});

/** Placeholders and names of other languages and engines in a text, and what they mean here. */
const FOREIGN_MISTAKES: readonly (readonly [name: string, text: string, says: string])[] = [
  ["block of Handlebars", "{{#if email}}Hello{{/if}}", "expressions have no blocks"],
  ["tag of Liquid", "{% if email %}Hello{% endif %}", "{% if email %} in params.text stays as it is"],
  ["filter of Liquid", "{{ email | upcase }}", "{{upper(action_input.email)}}"],
  ["filter after a path", "{{action_input.email | upper}}", "{{upper(action_input.email)}}"],
  ["item of n8n", "{{ $json.email }}", "{{action_input.email}}"],
  ["node of n8n", '{{ $node["fetch"].json.status }}', "{{fetch.status}}"],
  ["node of n8n as a call", "{{ $('fetch').item.json.id }}", "{{fetch.body.id}}"],
  ["expression of n8n with its sign", "={{action_input.email}}", "{{action_input.email}}"],
  ["step under steps", "{{steps.fetch.status}}", "{{fetch.status}}"],
  ["output of a step under steps", "{{steps.fetch.output.body}}", "{{fetch.body}}"],
  ["output between a step and its field", "{{fetch.output.body}}", "{{fetch.body}}"],
  ["input by another name", "{{input.email}}", "{{action_input.email}}"],
  ["body of another trigger", "{{trigger.body.email}}", "{{action_input.email}}"],
  ["input without its step", "{{email}}", "{{action_input.email}}"],
  ["field of Go", "{{.email}}", "{{action_input.email}}"],
  ["path without braces", "steps.shape.total", "{{shape.total}}"],
  ["path with a dollar", "$action_input.email", "{{action_input.email}}"],
  ["single braces around an input", "Hello {email}", "{{action_input.email}}"],
  ["single braces with spaces", "Hello { action_input.email }", "{{action_input.email}}"],
  ["opening brace that is missing", "Hello {action_input.email}}", "{{action_input.email}}"],
  ["closing brace that is missing", "Hello {{action_input.email}", "}} must follow the path"],
  ["square brackets", "Hello [[email]]", "{{action_input.email}}"],
  ["percent signs", "Hello %email%", "{{action_input.email}}"],
  ["parentheses of a shell", "Hello $(email)", "{{action_input.email}}"],
  ["expression of Power Automate", "@{triggerBody()?['email']}", "stays as it is"],
  ["expression of GitHub Actions", `\${{ inputs.email }}`, "{{action_input.email}}"],
  ["environment variable", "{{ env.API_KEY }}", "expressions read no environment variables"],
  ["current time", "{{ now() }}", "expressions have no clock"],
  ["function of another language", "{{toUpperCase(action_input.email)}}", '"upper"'],
  ["concatenation", "{{concat(action_input.email, 'x')}}", "next to each other"],
  ["method of JavaScript", "{{ JSON.stringify(shape) }}", "can't call a field"],
  ["negation", "{{ !check.result }}", "can't use !"],
  ["every item of a list", "{{fetch.body[*].id}}", "in a Transform step with JSONata"],
  ["last item by a negative index", "{{action_input.tags[-1]}}", "last(list)"],
];

export const MISTAKES: readonly Mistake[] = [
  returned("optional input without a fallback", "{{action_input.discount}}", 'the caller leaves out "discount"'),
  {
    name: "step that can be skipped without a fallback",
    operations: [
      { op: "add_edge", source: "check", target: "end", sourceHandle: "true" },
      returns("{{gate.decided_by.name}}"),
    ],
    node: "end",
    field: OUT,
    says: '"gate" is skipped',
  },
  {
    name: "step that can fail without a fallback",
    operations: [
      { op: "update_node", node_id: "fetch", data: { continueOnFailure: true } },
      returns("{{fetch.status}}"),
    ],
    node: "end",
    field: OUT,
    says: '"fetch" fails',
  },
  returned("misspelled step", "{{shpe.total}}", '"shape"'),
  returned("misspelled entry", "{{action_inputs.amount}}", '"action_input"'),
  returned("trigger in a callable workflow", "{{trigger.output}}", "does not exist"),
  returned("misspelled input", "{{action_input.amuont}}", '"amount"'),
  returned("input in another case", "{{action_input.Amount}}", '"amount"'),
  returned("misspelled field of a transform", "{{shape.totl}}", '"total"'),
  returned("misspelled field of a response", "{{fetch.staus}}", '"status"'),
  returned("field of a response that does not exist", "{{fetch.data}}", '"body"'),
  returned("field below a number", "{{fetch.status.code}}", "not an object"),
  returned("field of a model without object", "{{model.category}}", "{{model.object.category}}"),
  returned("misspelled field of a model's object", "{{model.object.categroy}}", '"category"'),
  returned("misspelled token count", "{{model.usage.total_token}}", '"total_tokens"'),
  returned("misspelled field of code", "{{work.reslut}}", '"result"'),
  returned("misspelled field of an approval", "{{gate.aproved}}", '"approved"'),
  returned("misspelled field of who decided", "{{gate.decided_by.nmae}}", '"name"'),
  returned("misspelled field of a filter", "{{few.cuont}}", '"count"'),
  returned("misspelled field of a loop", "{{each.reslts}}", '"results"'),
  returned("misspelled field of a condition", "{{check.reslt}}", '"result"'),
  returned("misspelled field of a delay", "{{wait.untl}}", '"until"'),
  returned("misspelled output of an action", "{{invoice.invoiceid}}", '"invoice_id"'),
  returned("misspelled field of a service", "{{notify.mesage_id}}", '"message_id"'),
  returned("item of a loop after it", "{{each.item}}", "only available inside"),
  returned("step inside a loop", "{{inner.tag}}", "does not run before"),
  returned("field of a list", "{{action_input.tags.name}}", "read an item with [0]"),
  returned("broken braces", "{{shape.total", "not a valid expression"),
  returned("arithmetic in an expression", "{{shape.total * 2}}", "not a valid expression"),
  returned("text for a number", "{{action_input.email}}", "expects a number"),
  returned("list for a number", "{{few.items}}", "expects a number"),
  returned("dollar from another engine", "{{$json.amount}}", "comes without $"),
  returned("comparison in an expression", "{{shape.total > 2}}", "compare in a Condition step"),
  chats("shell variable in a text", "text", `Hello \${email}`, "{{action_input.email}}"),
  chats("single braces around a path", "text", "Total: {shape.total}", "{{shape.total}}"),
  chats("placeholder of a template language", "text", "Hello <%= email %>", "{{action_input.email}}"),
  asks("shell variable without a value", "url", `https://example.com/\${customer}`, "{{step.field}}"),
  ...FOREIGN_MISTAKES.map(([name, text, says]) => chats(name, "text", text, says)),
  asks("parameter of a route in a URL", "url", "https://example.com/{id}/lines", "{id} in params.url stays as it is"),
  asks("parameter of a route after a colon", "url", "https://example.com/:id", ":id in params.url stays as it is"),
  asks("URL without a scheme", "url", "example.com/orders", "must start with https:// or http://"),
  asks("path in the place of a URL", "url", "/orders", "must start with https:// or http://"),
  asks("body by another name", "json", { a: 1 }, '"body"'),
  asks("query by another name", "queryParams", { a: 1 }, '"query"'),
  wrong("param next to the operation", "fetch", "headers", { a: "b" }, "move it into params"),
  wrong("retries by another name", "notify", "retries", 2, '"maxRetries"'),
  wrong("retries as text", "fetch", "maxRetries", "2", "did you mean 2?"),
  wrong("sign of another language as operator", "check", "rules.0.operator", ">=", '"greater_or_equal"'),
  wrong("short name of an operator", "check", "rules.0.operator", "ne", '"not_equals"'),
  wrong("operator in camel case", "check", "rules.0.operator", "greaterThan", '"greater_than"'),
  wrong("left side of a rule by another name", "check", "rules.0.field", "{{shape.total}}", '"left"'),
  wrong("match as in a program", "check", "match", "and", '"all"'),
  wrong("rule without braces", "check", "rules.0.left", "action_input.email", "{{action_input.email}}"),
  wrong("loop without braces", "each", "items", "few.items", "{{few.items}}"),
  wrong("loop over a text without expressions", "each", "items", "a,b", "must be a list"),
  wrong("item of a loop without its loop", "inner", "fields.0.value", "{{item}}", "{{each.item}}"),
  wrong("item of a loop by another name", "inner", "fields.0.value", "{{loop.item}}", "{{each.item}}"),
  wrong("item of a filter without its step", "few", "rules.0.left", "{{item}}", "{{few.item}}"),
  wrong("item of a filter with a dollar", "few", "rules.0.left", "{{$item}}", "{{few.item}}"),
  wrong("name of a field by another name", "shape", "fields.0.key", "total", '"name"'),
  wrong("type in another case", "end", "properties.0.type", "Number", '"number"'),
  wrong("type of another language", "end", "properties.0.type", "float", '"number"'),
  returned("constant text for a number", "none", "must be of type number"),
  returned("path without braces for a number", "shape.total", "must be of type number"),
  wrong("seconds by another name", "wait", "duration", 5, '"seconds"'),
  wrong("step in code", "work", "source", "return { result: shape.total };", "Pass {{shape.total}} in input"),
  wrong("expression in code", "work", "source", "return { result: '{{shape.total}}' };", "code is no template"),
  wrong("dollar in code", "work", "source", "return { result: $json.n };", '"$json" does not exist in code'),
  wrong("dollar in JSONata", "query", "jsonata", "$json.total", "$json in jsonata does not exist"),
  wrong("step with a dollar in JSONata", "query", "jsonata", "$shape.total", '"shape"'),
  wrong("function of another language in JSONata", "query", "jsonata", "$upper(shape.total)", '"$uppercase"'),
  wrong("misspelled step after the context in JSONata", "query", "jsonata", "$.shpe.total", '"shape"'),
  wrong("braces in JSONata", "query", "jsonata", "{{shape.total}}", 'did you mean "shape.total"?'),
  wrong("operator of another language in JSONata", "query", "jsonata", "shape.total == 1", "shape.total = 1"),
  wrong("steps in JSONata", "query", "jsonata", "steps.shape.total", "did you mean shape.total?"),
  wrong("step on another branch", "small", OUT, "{{gate.approved}}", "does not run before"),
  wrong("results inside the loop", "inner", "fields.0.value", "{{each.results}}", "only item and index"),
  wrong("later step", "fetch", "params.url", "{{shape.total}}", "does not run before"),
  wrong("loop over a text", "each", "items", "{{action_input.email}}", "expects a list"),
  wrong("loop over nothing", "each", "items", undefined, "is required"),
  wrong("loop result of a wrong field", "each", "result", "{{inner.tga}}", '"tag"'),
  wrong("filter of an object", "few", "items", "{{action_input.order}}", "expects a list"),
  wrong("filter rule with a wrong field", "few", "rules.0.left", "{{few.itm}}", "only item and index"),
  wrong("delay of a text", "wait", "seconds", "soon", "must be a number"),
  wrong("delay of an object", "wait", "seconds", "{{action_input.order}}", "expects a number"),
  wrong("unknown operator", "check", "rules.0.operator", "bigger", "must be one of"),
  wrong("condition without the right side", "check", "rules.0.right", undefined, "is required"),
  wrong("invalid pattern", "check", "rules.0", { left: "a", operator: "matches", right: "(" }, "", "rules.0.right"),
  wrong("condition on a wrong field", "check", "rules.0.left", "{{fetch.stats}}", '"status"'),
  wrong("number compared with a word", "check", "rules.0.right", "many", "does not work on a number", "rules.0.right"),
  wrong("list compared with a number", "check", "rules.0.left", "{{action_input.tags}}", "a list and 100"),
  wrong("text compared with a number", "check", "rules.0.left", "{{action_input.email}}", "only works if the text is"),
  ruled("start of a list", { left: "{{few.items}}", operator: "starts_with", right: "a" }, 'a list and "a"'),
  ruled("list that should be true", { left: "{{few.items}}", operator: "is_true" }, "does not work on a list"),
  ruled("number that should be empty", { left: "{{few.count}}", operator: "is_empty" }, "is never empty"),
  wrong(
    "item of texts equal to a list",
    "few",
    "rules.0.right",
    ["a"],
    "does not work on text and a list",
    "rules.0.left",
  ),
  wrong("misspelled setting", "fetch", "maxRetry", 1, '"maxRetries"'),
  wrong("too many retries", "fetch", "maxRetries", 9, "from 0 to 5"),
  wrong("misspelled key of a property", "start", "properties.0.requird", true, '"required"'),
  wrong("unknown type of a property", "start", "properties.0.type", "text", "must be one of"),
  wrong("property twice", "start", "properties.1.name", "email", "used twice"),
  wrong("misspelled key of a rule", "check", "rules.0.rigth", 1, '"right"'),
  asks("request without a URL", "url", undefined, "is required"),
  asks("unknown method", "method", "FETCH", "must be one of"),
  asks("misspelled param of a request", "hedaers", {}, '"headers"'),
  asks("text as headers", "headers", "a: b", "must be an object"),
  wrong("unknown connector", "notify", "connector", "telegramm", '"telegram"'),
  wrong("unknown operation", "notify", "operation", "sendMessage", '"send_message"'),
  wrong("missing connection", "notify", "connection_id", undefined, "is required"),
  chats("missing param", "text", undefined, "is required"),
  chats("misspelled param", "parseMode", "HTML", '"parse_mode"'),
  chats("unknown choice of a param", "parse_mode", "Html", "must be one of"),
  wrong("unknown action", "invoice", "action_slug", "send-invoce", '"send-invoice"'),
  wrong("missing input of an action", "invoice", "input.email", undefined, "is required"),
  wrong("misspelled input of an action", "invoice", "input.totl", 1, '"total"'),
  wrong("wrong type of an action's input", "invoice", "input.total", "many", "must be a number"),
  wrong("text for a number of an action", "invoice", "input.total", "{{action_input.email}}", "expects a number"),
  wrong("list for a text of an action", "invoice", "input.email", "{{action_input.tags}}", "expects text"),
  wrong("code that does not parse", "work", "source", "return { a: ;", "line 1, column 13"),
  wrong(
    "undefined variable in code",
    "work",
    "source",
    "return { result: amount * input.n };",
    '"amount" does not exist',
  ),
  wrong("input of code without its object", "work", "source", "return { result: n };", '"input.n"'),
  wrong("misspelled variable in code", "work", "source", "const total = 1; return { result: totl };", '"total"'),
  wrong("network in code", "work", "source", "return { result: await fetch(input.n) };", "use an HTTP step"),
  wrong("input of code that nothing passes", "work", "source", "return { result: input.email };", "action_input.email"),
  wrong("misspelled input of code", "work", "source", "const { nn } = input; return { result: nn };", '"n"'),
  wrong("code with an open brace", "work", "source", "if (input.n) { return { result: 1 };", "line 1"),
  wrong("JSONata that does not parse", "query", "jsonata", "{ 'a': shape. }", "line 1"),
  wrong("misspelled step in JSONata", "query", "jsonata", "shpe.total", '"shape"'),
  wrong("misspelled field in JSONata", "query", "jsonata", "{ 'a': shape.totl }", '"total"'),
  wrong("later step in JSONata", "query", "jsonata", "work.result", "does not run before"),
  wrong("model without a prompt", "model", "prompt", "", "is required"),
  wrong("temperature out of range", "model", "temperature", 3, "from 0 to 2"),
  drawn("edge to its own step", { op: "add_edge", source: "work", target: "work" }, "work", "its own step"),
  drawn("cycle", { op: "add_edge", source: "wait", target: "fetch" }, "fetch", "cycle"),
  drawn(
    "unknown branch",
    { op: "add_edge", source: "check", target: "end", sourceHandle: "yes" },
    "check",
    "true, false",
  ),
  drawn("edge into a loop", { op: "add_edge", source: "work", target: "inner" }, "work", "into or out of a loop"),
  drawn("edge to the start", { op: "add_edge", source: "work", target: "start" }, "start", "starts here"),
  drawn("removed step that is read", { op: "remove_node", node_id: "shape" }, "work", "does not exist"),
  drawn("empty loop", { op: "remove_node", node_id: "inner" }, "each", "contains no steps"),
  drawn("unreachable step", { op: "remove_edge", source: "start", target: "fetch" }, "fetch", "cannot be reached"),
  drawn("second start", { op: "add_node", node: completeNode("again", "action_input") }, "again", "exactly 1"),
];
