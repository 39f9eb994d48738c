import { SERVER_HEADER } from "#bench/stage/start-balancer";

/** A signed-in user's browser session. Requests send its cookies. */
export interface Session {
  get(path: string, signal?: AbortSignal): Promise<Response>;
}

/** Signs in the way the form does, and keeps the cookies. */
export async function signIn(url: string, login: { email: string; password: string }): Promise<Session> {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(`${url}${path}`, { ...init, redirect: "manual", headers: { ...init.headers, cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const { csrfToken } = (await (await send("/api/auth/csrf")).json()) as { csrfToken: string };
  const form = new URLSearchParams({ csrfToken, json: "true", ...login });
  const answer = await send("/api/auth/callback/credentials", { method: "POST", body: form });
  if (!answer.ok) throw new Error(`signing in failed: ${answer.status} ${await answer.text()}`);
  await answer.text();
  return { get: (path, signal) => send(path, signal ? { signal } : {}) };
}

/**
 * Reads the session until each of the servers has answered.
 * @returns the servers that did not recognize the user
 */
export async function findServersWithoutSession(session: Session, servers: readonly string[]): Promise<string[]> {
  const unknown = new Set<string>();
  const asked = new Set<string>();
  for (let attempt = 0; attempt < 100 && servers.some((server) => !asked.has(server)); attempt += 1) {
    const answer = await session.get("/api/auth/session");
    const server = answer.headers.get(SERVER_HEADER) ?? "";
    asked.add(server);
    const { user } = (await answer.json()) as { user?: object };
    if (!user) unknown.add(server);
  }
  return [...unknown, ...servers.filter((server) => !asked.has(server))];
}
