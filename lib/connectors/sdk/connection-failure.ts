import { StepError } from "#lib/contract/run/step-error";

/** The server of a request, as errors name it. */
export interface FailedTarget {
  hostname: string;
  /** With its port, if it is not the default. */
  host: string;
}

/** How far a request got. `connecting`: nothing was sent. `sent`: the server may have executed it. */
type Progress = "connecting" | "sent";

/** What OpenSSL says about a certificate that it does not accept (`X509_V_ERR_…`, as Node.js spells it). */
const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|CRL_\w+|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERROR_IN_CERT_\w+)$/;
const WRONG_NAME: ReadonlySet<unknown> = new Set(["ERR_TLS_CERT_ALTNAME_INVALID", "HOSTNAME_MISMATCH"]);
/** The server answered the start of TLS with something else. */
const NOT_TLS: ReadonlySet<unknown> = new Set([
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
  "ERR_SSL_HTTP_REQUEST",
]);
const TRUST_AUTHORITY =
  "To trust its certificate authority, the operator of Signalbox adds it to NODE_EXTRA_CA_CERTS. The workflow is not at fault";

/**
 * Explains why there is no response: what failed, whether the server can have executed the request, and what to do.
 * @param timeoutMs how long the client waited for an answer
 */
export function connectionFailure(
  target: FailedTarget,
  cause: unknown,
  { progress, timeoutMs }: { progress: Progress; timeoutMs: number },
): StepError {
  if (cause instanceof StepError) return cause;
  const { host } = target;
  const { code, message } = cause as { code?: unknown; message?: unknown };
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") {
    return new StepError("service_timeout", `${host} did not answer within ${timeoutMs / 1000} s`, { cause });
  }
  const reason = typeof code === "string" ? code : String(message);
  return (
    nameFailure(target, cause) ??
    tlsFailure(target, cause) ??
    (progress === "connecting"
      ? new StepError("service_unreachable", `No answer from ${host}: ${reason}`, { cause })
      : brokenExchange(host, cause, reason))
  );
}

/** @returns null if the name was resolved */
export function nameFailure({ hostname }: FailedTarget, cause: unknown): StepError | null {
  const { code, name } = cause as { code?: unknown; name?: unknown };
  if (code === "ENOTFOUND") {
    return new StepError("host_not_found", `The host name ${hostname} can't be resolved: no server has this name`, {
      cause,
    });
  }
  // A name server that does not answer says nothing about the name.
  if (code === "EAI_AGAIN" || code === "EDNS" || name === "TimeoutError") {
    return new StepError("service_unreachable", `The host name ${hostname} can't be resolved at the moment`, { cause });
  }
  return null;
}

/** @returns null if TLS is not the reason */
export function tlsFailure({ host, hostname }: FailedTarget, cause: unknown): StepError | null {
  const { code } = cause as { code?: unknown };
  if (typeof code !== "string") return null;
  const fails = (words: string) => new StepError("tls_failed", words, { cause });
  if (WRONG_NAME.has(code)) {
    return fails(`The certificate of ${host} is not for the name ${hostname} (${code}). Check the address`);
  }
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") {
    const when = code === "CERT_HAS_EXPIRED" ? "has expired" : "is not valid yet";
    return fails(
      `The certificate of ${host} ${when} (${code}). Its operator has to replace it. The workflow is not at fault`,
    );
  }
  if (UNTRUSTED.test(code)) return fails(`The certificate of ${host} is not trusted (${code}). ${TRUST_AUTHORITY}`);
  if (NOT_TLS.has(code)) return fails(`${host} does not use TLS (${code}). Check the port, or write http:// instead`);
  if (code === "EPROTO" || /^ERR_(?:SSL|TLS)_/.test(code)) {
    return fails(`${host} and Signalbox found no way to use TLS together (${code}). The workflow is not at fault`);
  }
  return null;
}

/** The request was sent, and what came back is no HTTP response, or nothing came back. */
function brokenExchange(host: string, cause: unknown, reason: string): StepError {
  const { name, data } = cause as { name?: unknown; data?: unknown };
  if (name !== "HTTPParserError" && !reason.startsWith("HPE_")) {
    const words = `${host} closed the connection before it answered (${reason}). It may have executed the request`;
    return new StepError("connection_broken", words, { cause });
  }
  // A TLS record of the type alert: what a TLS server says to a request in the clear.
  if (typeof data === "string" && data.startsWith("\u0015\u0003")) {
    return new StepError("tls_failed", `${host} uses TLS on this port. Write https:// instead`, { cause });
  }
  return new StepError("answer_unreadable", `${host} did not answer with HTTP (${reason})`, { cause });
}

/**
 * Explains why the body of a response can't be read: the server executed the request and answered it.
 */
export function bodyFailure({ host }: FailedTarget, status: number, cause: unknown): StepError {
  if (cause instanceof StepError) return cause;
  const { code, message } = cause as { code?: unknown; message?: unknown };
  const reason = typeof code === "string" ? code : String(message);
  const isPacked = /^(?:Z_|ERR__|ERR_BROTLI|ERR_ZSTD|ZSTD_)/.test(reason);
  const what = isPacked ? "can't be decompressed" : "ended before it was complete";
  return new StepError("answer_unreadable", `${host} answered ${status}, but its response ${what} (${reason})`, {
    cause,
  });
}
