import { expect, test } from "vitest";
import { readCodeNames } from "#lib/domain/workflows/checks/read-code-names";

const undefinedIn = (source: string) => readCodeNames(source)?.undefinedNames.map(({ name }) => name);
const readBy = (source: string) => readCodeNames(source)?.inputFields.map(({ name }) => name);

test.each([
  ["return total;", ["total"]],
  ["return { total };", ["total"]],
  [`return \`\${total}\`;`, ["total"]],
  ["total = 1;", ["total"]],
  ["const { a } = options; return a;", ["options"]],
  ["return items.map((item) => item.price * factor);", ["items", "factor"]],
  ["export default async (order) => input.id;", ["input"]],
  ["class A extends B {}\nreturn new A();", ["B"]],
  ["for (const x of list) {}", ["list"]],
  ["return { [key]: 1 };", ["key"]],
])("a variable that nothing declares is found: %s", (source, names) => {
  expect(undefinedIn(source)).toEqual(names);
});

test.each([
  ["a declaration below its use", "return f(); function f() { return late } var late = 1;"],
  ["parameters and their parts", "return input.list.map(({ a, b: [c], ...d }, at = a) => [c, d, at]);"],
  ["the variable of catch", "try { return 1 } catch (error) { return error.message }"],
  ["a class and its members", "class A { #p = 1; get q() { return this.#p } static r = 2 }\nreturn new A().q + A.r;"],
  ["a label", "outer: for (const x of [1]) { for (;;) { continue outer } }"],
  ["properties and methods", "return { total: 1, sum() { return 2 }, 'a b': 3, get c() { return 4 } };"],
  ["the question whether it exists", "return typeof fetch === 'function';"],
  ["globals of the sandbox", "return [JSON, Math.PI, URL, crypto, undefined, NaN, globalThis, structuredClone, Map];"],
  ["arguments", "function f() { return arguments.length }\nreturn f(1);"],
  ["types", "interface A { b: C }\ntype D<E> = E | F;\nconst a: D<A> = input as D<A>;\nreturn a satisfies G;"],
  ["a module", "const rate = 2;\nexport default async function main(order: { n: number }) { return order.n * rate; }"],
  ["an assignment to parts", "let a, b; [a, b] = [1, 2]; ({ x: a } = { x: 3 }); return a + b;"],
])("code that can run has no undefined variable: %s", (_, source) => {
  expect(undefinedIn(source)).toEqual([]);
});

test.each([
  ["return input.a + input['b'] + input?.c;", ["a", "b", "c"]],
  ["const { a, b: { c }, ...rest } = input; return [a, c, rest];", ["a", "b"]],
  ["export default ({ a, b: c }) => a + c;", ["a", "b"]],
  ["export default async (order: { id: string }) => order.id;", ["id"]],
  ["return input.list.length + input.list[0];", ["list"]],
  ["return input.a; // input.b", ["a"]],
])("the fields that code reads of its input are found once: %s", (source, names) => {
  expect(readBy(source)).toEqual(names);
});

test.each([
  ["a field with a default", "const { a = 1 } = input; return a;"],
  ["a field that the code sets itself", "input.a = 1; return { ...input };"],
  ["a computed field", "return Object.keys(input).map((key) => input[key]);"],
  ["another variable of the same name", "return [1].map((input) => input.x);"],
  ["a member of every object", "return input.hasOwnProperty('a');"],
  ["a field of something else", "const order = { input: { a: 1 } }; return order.input.a;"],
])("what the input need not have is not found: %s", (_, source) => {
  expect(readBy(source)).toEqual([]);
});

test("positions are those of the source, with and without a module", () => {
  expect(readCodeNames("const a = 1;\nreturn input.b + c;")).toMatchObject({
    undefinedNames: [{ name: "c", from: 30 }],
    inputFields: [{ name: "b", from: 26 }],
  });
  expect(readCodeNames("export default (x) => x.y")?.inputFields).toEqual([{ name: "y", from: 24 }]);
});

test("code that does not parse says nothing", () => {
  expect(readCodeNames("return { a: ;")).toBeNull();
});
