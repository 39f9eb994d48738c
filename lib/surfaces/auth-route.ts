import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { uuidv7 } from "#lib/support/ids";
import { authOptions } from "#lib/surfaces/auth-options";
import { parseJsonObject, readText } from "#lib/surfaces/read-json";
import { webErrorResponse } from "#lib/surfaces/web-response";

interface AuthContext {
  params: Promise<{ nextauth: string[] }>;
}

/**
 * next-auth's endpoints. Its handler parses the body without a limit and answers 500 when that fails, so the body is
 * read here first: capped, and refused in our own words.
 */
export async function authRoute(request: NextRequest, context: AuthContext): Promise<Response> {
  const requestId = uuidv7();
  try {
    const handed = request.method === "POST" ? await readAhead(request) : request;
    const response: Response = await NextAuth(handed, context, authOptions());
    response.headers.set("cache-control", "no-store");
    response.headers.set("x-request-id", requestId);
    return response;
  } catch (error) {
    return webErrorResponse(error, requestId);
  }
}

async function readAhead(request: NextRequest): Promise<NextRequest> {
  const text = await readText(request);
  const isJson = request.headers.get("content-type")?.includes("application/json");
  if (isJson) parseJsonObject(text);
  return new NextRequest(request.url, { method: "POST", headers: request.headers, body: text });
}
