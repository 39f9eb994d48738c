import {
  code,
  codes,
  fieldTable,
  markdownTable,
  meaningOf,
  typeWords,
} from "#lib/api/documentation/reference/markdown-table.fixture";
import { readApiReference } from "#lib/api/openapi/api-reference";
import type { OpenApiOperation } from "#lib/contract/openapi/openapi";

const { document, tools } = readApiReference();

const ENDPOINTS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    call: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`,
    operation,
  })),
);

const scopesOf = ({ security }: OpenApiOperation) => security.flatMap((scheme) => Object.values(scheme).flat());
const anchorOf = ({ summary }: OpenApiOperation) => summary.toLowerCase().replaceAll(" ", "-");

export function endpointTable(): string {
  const rows = ENDPOINTS.map(({ call, operation }) => {
    const tool = tools.some(({ name }) => name === operation.operationId) ? code(operation.operationId) : "";
    return [code(call), `[${operation.summary}](#${anchorOf(operation)})`, codes(scopesOf(operation)), tool];
  });
  return markdownTable(["endpoint", "use", "scope", "MCP tool"], rows);
}

export function endpointSections(): string {
  return ENDPOINTS.map(({ call, operation }) => endpointSection(call, operation)).join("\n\n");
}

function endpointSection(call: string, operation: OpenApiOperation): string {
  const { summary, description, parameters, requestBody, responses } = operation;
  const rows = parameters.map(({ name, in: place, required, schema, description: about }) => [
    code(name),
    place,
    typeWords(schema) + (required ? ", required" : ""),
    meaningOf(place === "header" ? {} : schema, about),
  ]);
  const body = requestBody?.content["application/json"].schema;
  const answers = Object.entries(responses).filter(([status]) => status < "400");
  const errors = Object.entries(responses).flatMap(([status, { content }]) =>
    status < "400" ? [] : Object.keys(content?.["application/json"].examples ?? {}),
  );
  return [
    `### ${summary}`,
    `${code(call)}. ${description}`,
    ...(rows.length === 0 ? [] : [markdownTable(["parameter", "in", "type", "meaning"], rows)]),
    ...(body === undefined || Object.keys(body.properties ?? {}).length === 0
      ? []
      : [`Body:\n\n${fieldTable(body, true)}`]),
    ...answers.map(([status, { description: about, content }]) => {
      const body = content ? answerWords(content["application/json"].schema) : "no body";
      return `Answers \`${status}\` with ${body}. ${about}`;
    }),
    `[Errors](errors.md#api-errors): ${codes([...new Set(errors)])}.`,
  ].join("\n\n");
}

function answerWords(schema: Record<string, unknown>): string {
  return "$ref" in schema ? typeWords(schema) : "JSON";
}

export function objectSections(): string {
  return Object.entries(document.components.schemas)
    .filter(([name]) => !/^[A-Z_]+$/.test(name))
    .map(([name, schema]) =>
      [`### ${name}`, String(schema.description ?? ""), fieldTable(schema, false)]
        .filter((part) => part !== "")
        .join("\n\n"),
    )
    .join("\n\n");
}

export function toolTable(): string {
  const rows = tools.map(({ name, description, scopes, isReadOnly, properties, required }) => [
    code(name),
    [description, isReadOnly ? "" : "Changes data."].filter((part) => part !== "").join(" "),
    codes(scopes),
    Object.keys(properties)
      .map((argument) => code(required.includes(argument) ? argument : `${argument}?`))
      .join(", "),
  ]);
  return markdownTable(["tool", "use", "scope", "arguments"], rows);
}
