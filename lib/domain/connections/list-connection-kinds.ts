import { jsonSchema } from "#lib/connectors/describe-connectors";
import { CONNECTORS } from "#lib/connectors/registry";
import type { AuthDefinition, ConnectionField, ConnectorDefinition } from "#lib/connectors/sdk/define-connector";
import type { ConnectionFieldObject, ConnectorKindObject } from "#lib/contract/connection/connection";

/** Lists the connectors that connections can be created for, with the fields of each form. */
export function listConnectionKinds(): ConnectorKindObject[] {
  return CONNECTORS.map(presentConnector);
}

function presentConnector(connector: ConnectorDefinition): ConnectorKindObject {
  return {
    connector: connector.name,
    name: connector.label,
    description: connector.description,
    serves_models: connector.listModels !== undefined,
    auths: connector.auths.map(presentAuth),
    triggers: Object.entries(connector.triggers ?? {}).map(([event, { title, description, params, example }]) => {
      return { event, name: title, description, params_schema: params ? jsonSchema(params) : null, example };
    }),
  };
}

function presentAuth({ name, label, fields, oauth }: AuthDefinition): ConnectorKindObject["auths"][number] {
  return { auth: name, name: label, signs_in: oauth?.grant === "authorization_code", fields: fields.map(presentField) };
}

function presentField(field: ConnectionField): ConnectionFieldObject {
  return {
    name: field.name,
    label: field.label,
    kind: field.kind,
    required: field.isRequired,
    help: field.help ?? null,
    placeholder: field.placeholder ?? null,
    default: field.default ?? null,
    options: [...(field.options ?? [])],
  };
}
