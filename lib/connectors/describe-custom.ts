import type { CustomOperation } from "#lib/connectors/custom/custom-definition";
import type {
  ConnectorObject,
  ConnectorOperationObject,
  OperationSchemaObject,
} from "#lib/connectors/describe-connectors";
import type { CustomAuth } from "#lib/contract/connector";
import type { JsonObject } from "#lib/contract/json-schema";

/** A summary of a built connector. */
interface BuiltConnector {
  connector: string;
  name: string;
  description: string;
  auth: CustomAuth;
  /** The names of its operations. */
  operations: string[];
}

export function describeCustom({ connector, name, description, auth, operations }: BuiltConnector): ConnectorObject {
  const auths = auth === "none" ? [] : [{ auth, name: `${auth}: a connection of the http connector` }];
  return {
    connector,
    name,
    description,
    kind: "custom",
    serves_models: false,
    auths,
    operations,
    triggers: [],
  };
}

export function describeCustomOperation(connector: string, operation: CustomOperation): ConnectorOperationObject {
  const { name, title, description } = operation;
  return { connector, operation: name, name: title, description, kind: "action" };
}

export function describeCustomSchema(connector: string, operation: CustomOperation): OperationSchemaObject {
  return {
    ...describeCustomOperation(connector, operation),
    params_schema: operation.paramsSchema,
    output_schema: {
      type: "object",
      properties: {
        status: { type: "integer" },
        headers: { type: "object", additionalProperties: { type: "string" } },
        body: operation.outputSchema,
      },
    },
    option_fields: [],
    example: { connector, operation: operation.name, params: exampleOf(operation.required) },
  };
}

function exampleOf(required: readonly string[]): JsonObject {
  const params: Record<string, JsonObject> = Object.create(null);
  for (const full of required) {
    const dot = full.indexOf(".");
    const place = dot < 0 ? full : full.slice(0, dot);
    params[place] = {
      ...params[place],
      ...(dot < 0 ? {} : { [full.slice(dot + 1)]: `{{action_input.${full.slice(dot + 1)}}}` }),
    };
  }
  return { ...params };
}
