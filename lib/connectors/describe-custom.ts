import type { CustomOperation } from "#lib/connectors/custom/custom-definition";
import { exampleParams } from "#lib/connectors/custom/example-params";
import type {
  ConnectorObject,
  ConnectorOperationObject,
  OperationSchemaObject,
} from "#lib/connectors/describe-connectors";
import type { CustomAuth } from "#lib/contract/connector/connector";

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
      required: ["status", "headers", "body"],
    },
    option_fields: [],
    example: { connector, operation: operation.name, params: exampleParams(operation) },
  };
}
