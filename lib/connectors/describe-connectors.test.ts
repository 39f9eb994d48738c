import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { describeConnectors, findConnectorOperations, findOperationSchema } from "#lib/connectors/describe-connectors";
import { CONNECTORS, findOperation, findTrigger } from "#lib/connectors/registry";
import { STEP_DATA } from "#lib/core/steps/step-data";

const ajv = new Ajv2020({ strict: false });
const described = describeConnectors().flatMap(({ connector }) => findConnectorOperations(connector) ?? []);

it("every operation that a step may name has its guide; model providers are used by llm nodes", () => {
  const operations = described.filter(({ kind }) => kind === "action");
  const known = CONNECTORS.filter(({ listModels }) => !listModels).flatMap(({ name, operations }) =>
    Object.keys(operations).map((operation) => `${name}.${operation}`),
  );
  expect(operations.map(({ connector, operation }) => `${connector}.${operation}`)).toEqual(known);
});

it.each(described.filter(({ kind }) => kind === "action"))(
  "the example of $operation of $connector matches its schema, and a node with it can be published",
  (item) => {
    const schema = findOperationSchema(item.connector, item.operation);
    expect(findOperation(item.connector, item.operation)).not.toBeNull();
    const isFitting = ajv.compile(schema?.params_schema ?? {});
    isFitting((schema?.example.params as object) ?? null);
    expect(isFitting.errors).toBeNull();
    expect(STEP_DATA.connector.safeParse(schema?.example).error).toBeUndefined();
  },
);

it.each(described.filter(({ kind }) => kind === "trigger"))(
  "the example of the event $operation of $connector matches its schema",
  (item) => {
    const trigger = findTrigger(item.connector, item.operation);
    expect(trigger?.data.safeParse(trigger.example).error).toBeUndefined();
    const schema = findOperationSchema(item.connector, item.operation);
    expect(STEP_DATA.trigger.safeParse(schema?.example).error).toBeUndefined();
    const connector = CONNECTORS.find(({ name }) => name === item.connector);
    expect(trigger?.poll ?? connector?.inbox).toBeDefined();
  },
);

it("names of unknown connectors, or of properties that every object inherits, are unknown", () => {
  for (const name of ["nowhere", "constructor", "__proto__"]) {
    expect(findConnectorOperations(name)).toBeNull();
    expect(findOperationSchema("http", name)).toBeNull();
  }
});
