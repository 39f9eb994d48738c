import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { getPath } from "#lib/support/get-path";
import { parseBoundedJson } from "#lib/support/scan-json";

/** An answer that means that the access token has expired. */
interface ExpiredAnswer {
  status: number;
  /** A field of the JSON body and its value; without it, the status is enough. */
  field?: { path: string[]; value: string };
}

/** No error that names an expired token is longer. */
const BODY_BYTES = 65_536;
const UNAUTHORIZED = 401;
const LINE = /^([1-5]\d\d)(?:\s+([\w-]+(?:\.[\w-]+)*)=(\S+))?$/;

/**
 * Parses the answers that mean an expired token besides 401, one a line: a status, such as `403`, or a status with a
 * field of the JSON answer, such as `200 error=token_expired`.
 * @returns null if a line is neither
 */
export function parseExpiredAnswers(text: string): ExpiredAnswer[] | null {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const answers = lines.map((line): ExpiredAnswer | null => {
    const [, status, path, value] = LINE.exec(line) ?? [];
    // A success without a field would renew the token with every call.
    if (status === undefined || (path === undefined && Number(status) < 400)) return null;
    const field = path === undefined || value === undefined ? {} : { field: { path: path.split("."), value } };
    return { status: Number(status), ...field };
  });
  return answers.every((answer) => answer !== null) ? answers : null;
}

/** Reports whether an answer means that the access token has expired: 401, or what the service has instead. */
export function saysExpired(response: OutgoingResponse, rules: string): boolean {
  if (response.status === UNAUTHORIZED) return true;
  const fitting = (parseExpiredAnswers(rules) ?? []).filter(({ status }) => status === response.status);
  if (fitting.length === 0) return false;
  if (fitting.some(({ field }) => field === undefined)) return true;
  const body = bodyOf(response);
  return fitting.some(({ field }) => field && String(getPath(body, field.path)) === field.value);
}

function bodyOf({ body }: OutgoingResponse): unknown {
  if (body.byteLength > BODY_BYTES) return null;
  try {
    return parseBoundedJson(body.toString("utf8").replace(/^\uFEFF/, ""));
  } catch {
    return null;
  }
}
