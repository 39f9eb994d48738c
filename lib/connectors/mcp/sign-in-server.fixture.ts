import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Intercepted, startToolServer, type ToolServer } from "#lib/connectors/mcp/tool-server.fixture";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** An MCP server whose tools need a sign-in, and its authorization server. */
export interface SignInServer extends ToolServer {
  /** Replaces parts of the metadata of the authorization server or of the resource. */
  metadata: { server: JsonObject; resource: JsonObject };
  /** Revokes every access token before it expires. */
  endTokens(): void;
  /** Revokes the person's consent. */
  revoke(): void;
  /** Returns the requests to the token endpoint, by grant_type. */
  grants(type: string): URLSearchParams[];
  registrations: JsonObject[];
}

/** For tests: starts a server on which everyone may register. A refresh token can be used once. */
export async function startSignInServer(): Promise<SignInServer> {
  const tools = await startToolServer();
  const { origin } = new URL(tools.url);
  const issuer = `${origin}/auth`;
  const codes = new Map<string, { challenge: string | null; resource: string | null }>();
  const clients = new Set<string>();
  let access = new Set<string>();
  let refresh = new Set<string>();

  const server: SignInServer = Object.assign(tools, {
    metadata: { server: {}, resource: {} },
    registrations: [],
    endTokens: () => {
      access = new Set();
    },
    revoke: () => {
      access = new Set();
      refresh = new Set();
    },
    grants: (type: string) =>
      tools.requests.flatMap(({ path, form }) => {
        return path === "/auth/token" && form.get("grant_type") === type ? [form] : [];
      }),
  });
  server.intercept = (request, body) => answer(request, body);

  function answer(request: IncomingMessage, body: string): Intercepted | null {
    const url = new URL(request.url ?? "/", origin);
    switch (url.pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return json({ resource: tools.url, authorization_servers: [issuer], ...server.metadata.resource });
      case "/.well-known/oauth-authorization-server/auth":
        return json({ ...metadata(), ...server.metadata.server });
      case "/auth/register":
        return register(JSON.parse(body) as JsonObject);
      case "/auth/authorize":
        return authorize(url.searchParams);
      case "/auth/token":
        return token(new URLSearchParams(body));
      case "/mcp":
        return challenge(request);
      default:
        return { status: 404 };
    }
  }

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
  });

  function register(client: JsonObject): Intercepted {
    const id = `client-${randomBytes(4).toString("hex")}`;
    clients.add(id);
    server.registrations.push(client);
    return json({ ...client, client_id: id }, 201);
  }

  /** Consents at once, in place of the person. */
  function authorize(query: URLSearchParams): Intercepted {
    if (!clients.has(query.get("client_id") ?? "")) return { status: 400 };
    const code = randomBytes(8).toString("hex");
    codes.set(code, { challenge: query.get("code_challenge"), resource: query.get("resource") });
    const location = new URL(query.get("redirect_uri") ?? "");
    location.searchParams.set("code", code);
    location.searchParams.set("state", query.get("state") ?? "");
    location.searchParams.set("iss", issuer);
    return { status: 302, headers: { location: location.href } };
  }

  function token(form: URLSearchParams): Intercepted {
    const isKnown = clients.has(form.get("client_id") ?? "") && form.get("resource") === tools.url;
    if (!isKnown) return json({ error: "invalid_client" }, 401);
    if (form.get("grant_type") === "refresh_token") {
      return refresh.delete(form.get("refresh_token") ?? "") ? grant() : json({ error: "invalid_grant" }, 400);
    }
    const given = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isValid = given?.challenge === verifier && given.resource === tools.url;
    return isValid ? grant() : json({ error: "invalid_grant" }, 400);
  }

  function grant(): Intercepted {
    const [accessToken, refreshToken] = [randomBytes(12).toString("hex"), randomBytes(12).toString("hex")];
    access.add(accessToken);
    refresh.add(refreshToken);
    return json({ access_token: accessToken, token_type: "Bearer", expires_in: 3_600, refresh_token: refreshToken });
  }

  function challenge({ headers }: IncomingMessage): Intercepted | null {
    if (access.has(headers.authorization?.replace("Bearer ", "") ?? "")) return null;
    const place = `${origin}/.well-known/oauth-protected-resource/mcp`;
    return {
      status: 401,
      headers: { "www-authenticate": `Bearer error="invalid_token", resource_metadata="${place}", scope="tools"` },
    };
  }

  return server;
}

function json(body: JsonObject, status = 200): Intercepted {
  return { status, json: body };
}
