import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type DirectAnswer, findDirectRoute } from "#lib/api/edge/direct-routes";

const compress = promisify(gzip);

/** A request that the edge server answers without Next.js. */
export interface DirectRequest {
  answer: DirectAnswer;
  url: URL;
}

/**
 * Finds the function that answers a request without Next.js.
 * @param origin of this instance
 * @returns null if Next.js has to answer. It also redirects paths that are not in their normal form, such as those with
 * empty segments
 */
export function findDirectRequest({ method, url = "" }: IncomingMessage, origin: string): DirectRequest | null {
  const pathname = url.split("?", 1)[0] ?? "";
  const answer = findDirectRoute(method, pathname);
  if (!answer) return null;
  const parsed = new URL(url, origin);
  const isNormal = parsed.pathname === pathname && !/\/(?:\/|$)/.test(pathname);
  return isNormal ? { answer, url: parsed } : null;
}

/** Answers a request with the Request and Response objects of the web, as Next.js does. */
export async function answerDirectly(
  { answer, url }: DirectRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const response = await answer(toRequest(incoming, outgoing, url));
  await send(response, incoming, outgoing);
}

function toRequest(incoming: IncomingMessage, outgoing: ServerResponse, url: URL): Request {
  const { method = "GET" } = incoming;
  const gone = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, typeof value === "string" ? value : value.join(", "));
  }
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(url, {
    method,
    headers,
    signal: gone.signal,
    ...(hasBody ? { body: bodyOf(incoming), duplex: "half" } : {}),
  });
}

/** Returns the body as it arrives. Nothing is read before the route asks for it. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let stop = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const onData = (chunk: Uint8Array) => {
          controller.enqueue(chunk);
          incoming.pause();
        };
        const onEnd = () => controller.close();
        stop = () => void incoming.off("data", onData).off("end", onEnd);
        // Paused first, because a listener for data starts the flow.
        incoming.pause().on("data", onData).once("end", onEnd);
        incoming.once("error", (error) => controller.error(error));
      },
      pull: () => void incoming.resume(),
      cancel: () => {
        stop();
        // Node drops the rest of a body only if nothing has read from it.
        incoming.resume();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Compressing a smaller body saves no packet. */
const COMPRESSED_BYTES = 1_024;
/** A coding that is not refused with a weight of 0 (RFC 9110, Accept-Encoding). */
const ACCEPTS_GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[^,]*)?\s*(?=,|$)/i;

async function send(response: Response, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status;
  outgoing.setHeaders(response.headers);
  if (!response.body) return void outgoing.end();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  // The headers of an answer to HEAD are those of the answer to GET, which may be compressed.
  if (!isStream) outgoing.appendHeader("vary", "accept-encoding");
  if (incoming.method === "HEAD") return void outgoing.end();
  if (isStream) return pipeline(Readable.fromWeb(response.body as NodeReadableStream), outgoing);
  const body = Buffer.from(await response.arrayBuffer());
  const isCompressed = body.length >= COMPRESSED_BYTES && ACCEPTS_GZIP.test(incoming.headers["accept-encoding"] ?? "");
  if (!isCompressed) return void outgoing.end(body);
  outgoing.setHeader("content-encoding", "gzip");
  outgoing.end(await compress(body));
}
