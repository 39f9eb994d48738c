import { isAbsent } from "#lib/connectors/custom/check-operation-params";
import type { CustomOperation } from "#lib/connectors/custom/custom-definition";
import { chooseBody } from "#lib/connectors/custom/wire/choose-body";
import { headerText, percentEncode, serializeParameter } from "#lib/connectors/custom/wire/serialize-parameter";
import type { WireParameter } from "#lib/connectors/custom/wire/wire-parameter";
import { writeBody } from "#lib/connectors/custom/wire/write-body";
import type { ParameterPlace } from "#lib/contract/connector/connector";
import { StepError } from "#lib/contract/run/step-error";
import { isDotSegment } from "#lib/core/expressions/places/url-place";
import { getPath } from "#lib/support/get-path";
import { appendQuery, splitUrl } from "#lib/support/urls/url-query";

export interface BuiltRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

/**
 * Builds the request of an operation from params that fit it.
 * @param seed the same for every attempt of a step
 * @throws StepError VALIDATION_ERROR naming the parameter
 */
export function buildOperationRequest(
  baseUrl: string,
  operation: CustomOperation,
  params: unknown,
  seed: string,
): BuiltRequest {
  const url = addressOf(operation.server ?? baseUrl, pathOf(operation, params));
  const query = pairsOf(operation, params, "query").join("&");
  const cookies = pairsOf(operation, params, "cookie").join("&").replaceAll("&", "; ");
  const body = getPath(params, ["body"]);
  const chosen = isAbsent(body) ? null : chooseBody(operation, body);
  const written = chosen && writeBody(chosen.type, body, chosen.wire, seed);
  return {
    method: operation.method.toUpperCase(),
    url: appendQuery(url, query),
    headers: {
      ...headersOf(operation, params),
      ...(cookies === "" ? {} : { cookie: cookies }),
      ...(written ? { "content-type": written.type } : {}),
    },
    ...(written ? { body: written.body } : {}),
  };
}

/** Puts the path of an operation after that of its server. The query of a server applies to every operation. */
function addressOf(server: string, path: string): string {
  const { address, query } = splitUrl(server);
  return appendQuery(address.replace(/\/+$/, "") + path, query ?? "");
}

function pathOf({ path: key, wire }: CustomOperation, params: unknown): string {
  // Paths with one address differ in their fragments, as in `/files/{id}#get_shared_link`. A request has none.
  const [path = ""] = key.split("#");
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = wire.find((row) => row.in === "path" && row.name === name);
    const value = getPath(params, ["path", name]);
    const text = parameter && !isAbsent(value) ? serializeParameter(parameter, value, percentEncode) : "";
    if (text === "") throw unusable(name);
    return text;
  });
  // A segment of dots leads to another path, however many parameters it is made of.
  const templates = path.split("/");
  const at = filled.split("/").findIndex((segment, index) => isDotSegment(segment) && segment !== templates[index]);
  if (at >= 0) throw unusable(/\{([^{}]+)\}/.exec(templates[at] ?? "")?.[1] ?? "");
  return filled;
}

function unusable(name: string): StepError {
  return new StepError("VALIDATION_ERROR", `path.${name}: must be a value that can be used in a URL path`);
}

function pairsOf(operation: CustomOperation, params: unknown, place: ParameterPlace): string[] {
  return presentOf(operation, params, place)
    .map(([parameter, value]) => serializeParameter(parameter, value, percentEncode))
    .filter((pairs) => pairs !== "");
}

function headersOf(operation: CustomOperation, params: unknown): Record<string, string> {
  const headers = presentOf(operation, params, "header").map(([parameter, value]) => {
    return [parameter.name, serializeParameter(parameter, value, headerText)] as const;
  });
  return Object.fromEntries(headers);
}

function presentOf({ wire }: CustomOperation, params: unknown, place: ParameterPlace): [WireParameter, unknown][] {
  return wire.flatMap((parameter): [WireParameter, unknown][] => {
    if (parameter.in !== place) return [];
    const value = getPath(params, [place, parameter.name]);
    return isAbsent(value, parameter.allowEmpty) ? [] : [[parameter, value]];
  });
}
