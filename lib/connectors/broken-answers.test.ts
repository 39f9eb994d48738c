import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates, createServer as startTls } from "node:tls";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createOutgoingClient, type OutgoingClient } from "#lib/connectors/safe-fetch";
import { TEST_AUTHORITY, TEST_CERTIFICATES } from "#lib/connectors/sdk/certificates.fixture";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import { retryRuleOf, StepError } from "#lib/contract/run/step-error";

const closing: (() => void)[] = [];

let client: OutgoingClient = createOutgoingClient(parseOutboundAllow("127.0.0.1,localhost"));
afterAll(() => client.close());
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a server that says the same to every request, byte for byte, and then does something with the socket. */
async function answering(head: string, body: Buffer | string = "", end: (socket: Socket) => void = (s) => s.end()) {
  const answer = Buffer.concat([Buffer.from(head.replaceAll("\n", "\r\n")), Buffer.from(body)]);
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write(answer);
      end(socket);
    });
  });
  return `http://127.0.0.1:${await listen(server)}/`;
}

const encoded = (encoding: string, body: Buffer | string, status = "200 OK") =>
  answering(`HTTP/1.1 ${status}\ncontent-type: text/plain\ncontent-encoding: ${encoding}\nconnection: close\n\n`, body);

function send(url: string, method = "POST") {
  return client.send({ method, url, headers: {}, signal: AbortSignal.timeout(20_000) });
}

async function failureOf(url: string, method = "POST") {
  const error = await send(url, method).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StepError)) throw new Error(`expected a step error, got ${String(error)}`);
  return { code: error.code, reason: error.reason, retried: retryRuleOf(error), message: error.message };
}

describe("a response is decoded as its bytes need it:", () => {
  const text = "hello, здравствуйте ".repeat(40);
  test.each<[string, string, Buffer]>([
    ["gzip", "gzip", gzipSync(text)],
    ["x-gzip in capitals", "X-GZIP", gzipSync(text)],
    ["two gzip members", "gzip", Buffer.concat([gzipSync(text.slice(0, 100)), gzipSync(text.slice(100))])],
    ["gzip with zeros behind it", "gzip", Buffer.concat([gzipSync(text), Buffer.alloc(20)])],
    ["gzip with a line break behind it", "gzip", Buffer.concat([gzipSync(text), Buffer.from("\n")])],
    ["gzip with a page behind it", "gzip", Buffer.concat([gzipSync(text), Buffer.from("<!-- took 3 ms -->")])],
    [
      "two gzip members with other bytes behind them",
      "gzip",
      Buffer.concat([gzipSync(text.slice(0, 100)), gzipSync(text.slice(100)), Buffer.from("\r\n")]),
    ],
    ["gzip with a name and other bytes behind it", "gzip", Buffer.concat([named(gzipSync(text)), Buffer.from("x")])],
    [
      "gzip twice, with other bytes behind it",
      "gzip, gzip",
      Buffer.concat([gzipSync(gzipSync(text)), Buffer.from("\n")]),
    ],
    ["brotli with other bytes behind it", "br", Buffer.concat([brotliCompressSync(text), Buffer.from("\n")])],
    ["zstd with other bytes behind it", "zstd", Buffer.concat([zstdCompressSync(text), Buffer.from("\n")])],
    ["deflate with other bytes behind it", "deflate", Buffer.concat([deflateSync(text), Buffer.from("\n")])],
    ["an encoding in capitals with spaces around it", " GZip , identity", gzipSync(text)],
    ["zlib, as deflate is specified", "deflate", deflateSync(text)],
    ["raw deflate", "deflate", deflateRawSync(text)],
    ["raw deflate without compression", "deflate", deflateRawSync(text, { level: 0 })],
    ["brotli", "br", brotliCompressSync(text)],
    ["zstd", "zstd", zstdCompressSync(text)],
    ["two encodings in their order", "gzip, br", brotliCompressSync(gzipSync(text))],
    ["three encodings with identity between them", "deflate, identity, gzip", gzipSync(deflateRawSync(text))],
    ["text under the name of gzip", "gzip", Buffer.from(text)],
    ["a charset in the place of an encoding", "utf-8", Buffer.from(text)],
    ["no encoding by another name", "none", Buffer.from(text)],
  ])("%s", async (_, encoding, body) => {
    expect((await send(await encoded(encoding, body))).body.toString()).toBe(text);
  });

  test.each(["gzip", "deflate", "br", "zstd", "gzip, br", "unheard-of"])(
    "no content, whatever is said about it: %s",
    async (encoding) => {
      expect((await send(await encoded(encoding, ""))).body).toHaveLength(0);
      for (const status of ["204 No Content", "304 Not Modified"]) {
        expect((await send(await encoded(encoding, "", status))).body).toHaveLength(0);
      }
      const zero = `HTTP/1.1 200 OK\ncontent-encoding: ${encoding}\ncontent-length: 0\n\n`;
      expect((await send(await answering(zero))).body).toHaveLength(0);
      const head = `HTTP/1.1 200 OK\ncontent-encoding: ${encoding}\ncontent-length: 512\n\n`;
      expect(await send(await answering(head), "HEAD")).toMatchObject({ status: 200, body: Buffer.alloc(0) });
    },
  );

  test("a bomb of any kind ends at the limit", async () => {
    const big = Buffer.alloc(11 * 1_048_576);
    const bombs: [string, Buffer][] = [
      ["gzip", gzipSync(big)],
      ["deflate", deflateRawSync(big)],
      ["br", brotliCompressSync(big, { params: {} })],
      ["zstd", zstdCompressSync(big)],
      ["gzip, gzip", gzipSync(gzipSync(big))],
    ];
    for (const [encoding, bomb] of bombs) {
      expect(await failureOf(await encoded(encoding, bomb))).toMatchObject({ reason: "data_too_large" });
    }
  });
});

describe("what a status forbids is not read, and the answer counts:", () => {
  test.each([
    ["204 No Content", 204],
    ["205 Reset Content", 205],
    ["304 Not Modified", 304],
  ])("a body after %s", async (line, status) => {
    const url = await answering(
      `HTTP/1.1 ${line}\ncontent-type: text/plain\nconnection: close\n\n`,
      "should not be here",
    );
    expect((await send(url)).status).toBe(status);
  });

  test("more than the content-length says is not part of it", async () => {
    const url = await answering("HTTP/1.1 200 OK\ncontent-length: 5\nconnection: close\n\n", "helloworld");
    expect((await send(url)).body.toString()).toBe("hello");
  });

  test("an answer in the middle of another is not the answer", async () => {
    const early = "HTTP/1.1 103 Early Hints\nlink: </a>\n\nHTTP/1.1 200 OK\ncontent-length: 2\n\n";
    expect(await send(await answering(early, "ok"))).toMatchObject({ status: 200, body: Buffer.from("ok") });
  });
});

describe("a call that was done, but whose answer can't be read, is not repeated unless that is safe:", () => {
  const done = { code: "UPSTREAM_ERROR", reason: "answer_unreadable", retried: "idempotent" };
  const json = "HTTP/1.1 200 OK\ncontent-type: application/json\n";
  const packed = gzipSync("hello ".repeat(1_000));
  test.each<[string, () => Promise<string>, RegExp]>([
    ["gzip cut in the middle", () => encoded("gzip", packed.subarray(0, 30)), /200, but .* can't be decompressed/],
    ["gzip without its end", () => encoded("gzip", packed.subarray(0, -4)), /can't be decompressed/],
    ["gzip with a wrong sum", () => encoded("gzip", flipped(packed)), /can't be decompressed/],
    [
      "gzip with half of another behind it",
      () => encoded("gzip", Buffer.concat([packed, packed.subarray(0, 20)])),
      /decompressed/,
    ],
    [
      "gzip with a wrong sum and a line break behind it",
      () => encoded("gzip", Buffer.concat([flipped(packed), Buffer.from("\n")])),
      /decompressed/,
    ],
    [
      "gzip that is cut off by a line break",
      () => encoded("gzip", Buffer.concat([packed.subarray(0, -4), Buffer.from("\n")])),
      /decompressed/,
    ],
    ["brotli of nonsense", () => encoded("br", Buffer.alloc(40, 0xff)), /can't be decompressed/],
    [
      "a chunk cut in the middle",
      () => answering(`${json}transfer-encoding: chunked\n\n10\n`, '{"a":'),
      /ended before/,
    ],
    ["chunks without the last one", () => answering(`${json}transfer-encoding: chunked\n\n2\n{}\n`), /ended before/],
    ["less than its content-length", () => answering(`${json}content-length: 100\n\n`, "{}"), /ended before/],
    [
      "a reset in the body",
      () => answering(`${json}content-length: 9000\n\n`, "{", (socket) => setImmediate(() => socket.resetAndDestroy())),
      /ended before|connection/,
    ],
    ["something other than HTTP", () => answering("220 mail.example ESMTP\n"), /did not answer with HTTP/],
  ])("%s", async (_, start, message) => {
    expect(await failureOf(await start())).toEqual({ ...done, message: expect.stringMatching(message) });
  });

  test("the status of a failure counts, however its body ends", async () => {
    const cut = await answering("HTTP/1.1 503 Busy\nretry-after: 7\ncontent-length: 100\n\n", "try la");
    expect(await send(cut)).toMatchObject({ status: 503, headers: { "retry-after": "7" } });
    expect(await send(await encoded("gzip", packed.subarray(0, 30), "404 Not Found"))).toMatchObject({ status: 404 });
    expect(await send(await encoded("unheard-of", "x", "401 No"))).toMatchObject({ status: 401 });
  });

  test("an unknown encoding names itself", async () => {
    expect(await failureOf(await encoded("lzma", "x"))).toMatchObject({
      retried: "never",
      message: expect.stringContaining("compressed with lzma"),
    });
    expect(await failureOf(await encoded("gzip, gzip, gzip, gzip", packed))).toMatchObject({ retried: "never" });
  });

  test("a connection that breaks after the request leaves the outcome open", async () => {
    const broken = { code: "UPSTREAM_ERROR", reason: "connection_broken", retried: "idempotent" };
    const ends: ((socket: Socket) => void)[] = [(socket) => socket.end(), (socket) => socket.resetAndDestroy()];
    for (const end of ends) {
      const error = await failureOf(await answering("", "", end));
      expect(error).toEqual({ ...broken, message: expect.stringMatching(/may have executed the request/) });
    }
  });
});

/** Adds the name of a file to the header of gzip (RFC 1952, 2.3). */
function named(bytes: Buffer): Buffer {
  const header = Buffer.from(bytes.subarray(0, 10));
  header[3] = 8;
  return Buffer.concat([header, Buffer.from("answer.json\0"), bytes.subarray(10)]);
}

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.byteLength - 6] = (copy[copy.byteLength - 6] ?? 0) ^ 0xff;
  return copy;
}

describe("a request that was never sent", () => {
  test("may be repeated if nothing listens, or if the connection breaks before it is secure", async () => {
    const unsent = { code: "UPSTREAM_ERROR", reason: "service_unreachable", retried: "always" };
    const server = createServer();
    const port = await listen(server);
    for (const close of closing.splice(0)) close();
    expect(await failureOf(`http://127.0.0.1:${port}/`)).toMatchObject({
      ...unsent,
      message: expect.stringContaining("ECONNREFUSED"),
    });
    const rude = await listen(createServer((socket) => socket.once("data", () => socket.destroy())));
    expect(await failureOf(`https://127.0.0.1:${rude}/`)).toMatchObject(unsent);
  });

  test("is not repeated if no server has the name, but is if the name server does not answer", async () => {
    const lookUps = { ENOTFOUND: ["host_not_found", "never"], EAI_AGAIN: ["service_unreachable", "always"] };
    for (const [code, [reason, retried]] of Object.entries(lookUps)) {
      const stage = createOutgoingClient(parseOutboundAllow(""), (_name, _options, done) =>
        done(Object.assign(new Error(code), { code }), []),
      );
      const sending = stage.send({
        method: "POST",
        url: "https://typo.example/",
        headers: {},
        signal: AbortSignal.timeout(5_000),
      });
      const error: unknown = await sending.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ reason, message: expect.stringContaining("typo.example can't be resolved") });
      expect(error instanceof StepError && retryRuleOf(error)).toBe(retried);
      await stage.close();
    }
  });
});

describe("without a secure connection nothing is sent, nothing is retried, and the message says what to do:", () => {
  const failed = { code: "UPSTREAM_ERROR", reason: "tls_failed", retried: "never" };
  const secure = async (certificate: { cert: string; key: string }) =>
    `https://127.0.0.1:${await listen(createTlsServer(certificate, (_, response) => response.end("secret")))}/`;

  test("a self-signed certificate, and one of an unknown authority", async () => {
    for (const kind of ["selfSigned", "trusted"] as const) {
      expect(await failureOf(await secure(TEST_CERTIFICATES[kind]))).toEqual({
        ...failed,
        message: expect.stringMatching(/not trusted \(\w+\)\. .*NODE_EXTRA_CA_CERTS.*workflow is not at fault/),
      });
    }
  });

  test("an expired certificate, and one for another name; a trusted authority is enough for the others", async () => {
    const before = getCACertificates("default");
    setDefaultCACertificates([TEST_AUTHORITY]);
    const trusting = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
    const former = client;
    client = trusting;
    try {
      expect((await send(await secure(TEST_CERTIFICATES.trusted))).body.toString()).toBe("secret");
      const expired = await failureOf(await secure(TEST_CERTIFICATES.expired));
      expect(expired).toEqual({ ...failed, message: expect.stringMatching(/has expired/) });
      const other = await failureOf(await secure(TEST_CERTIFICATES.wrongName));
      expect(other).toEqual({ ...failed, message: expect.stringMatching(/not for the name 127\.0\.0\.1/) });
    } finally {
      client = former;
      setDefaultCACertificates(before);
      await trusting.close();
    }
  });

  test("a server in the clear, and one with an old version of TLS only", async () => {
    const clear = (await answering("HTTP/1.1 400 Bad Request\ncontent-length: 0\n\n")).replace("http:", "https:");
    expect(await failureOf(clear)).toEqual({
      ...failed,
      message: expect.stringMatching(/does not use TLS.*http:\/\//),
    });
    const options = { ...TEST_CERTIFICATES.selfSigned, maxVersion: "TLSv1.1", minVersion: "TLSv1" } as const;
    const old = await listen(startTls({ ...options, ciphers: "DEFAULT@SECLEVEL=0" }));
    expect(await failureOf(`https://127.0.0.1:${old}/`)).toMatchObject(failed);
  });

  test("a request in the clear to a port that answers with a TLS alert", async () => {
    const alert = createServer((socket) => socket.once("data", () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 80]))));
    expect(await failureOf(`http://127.0.0.1:${await listen(alert)}/`)).toEqual({
      ...failed,
      message: expect.stringMatching(/uses TLS on this port\. Write https:\/\//),
    });
  });
});
