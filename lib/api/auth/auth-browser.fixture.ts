import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth from "next-auth";
import { authOptions } from "#lib/api/auth/auth-options";
import { postBackchannelLogout } from "#lib/api/auth/backchannel-logout-route";
import { findProviderSignOut, signedOutRoute } from "#lib/api/auth/provider-sign-out";
import { findSession } from "#lib/api/auth/session";
import type { ProviderSession } from "#lib/domain/accounts/provider-session";

export interface AuthServer {
  url: string;
  close(): void;
}

/** For tests: serves next-auth's endpoints on real HTTP, with next-auth's handler for plain Node servers. */
export async function startAuth(): Promise<AuthServer> {
  let url = "";
  const server = createServer(async (incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "", url);
    let text = "";
    for await (const chunk of incoming) text += chunk;
    if (pathname.startsWith("/api/sso/"))
      return void answerSso(new URL(incoming.url ?? "", url), text).then(sendWith(outgoing));
    const nextauth = pathname.replace("/api/auth/", "").split("/");
    const cookies = Object.fromEntries(
      (incoming.headers.cookie ?? "")
        .split("; ")
        .map((pair) => [pair.split("=")[0], decodeURIComponent(pair.split("=")[1] ?? "")]),
    );
    const request = Object.assign(incoming, {
      query: { ...Object.fromEntries(searchParams), nextauth },
      body: Object.fromEntries(new URLSearchParams(text)),
      cookies,
    }) as unknown as NextApiRequest;
    const response = Object.assign(outgoing, {
      status: (code: number) => Object.assign(response, { statusCode: code }),
      // Does the same as auth-route.ts, which needs a Next.js request.
      json: async (body: { url: string }) => {
        const { pathname: path, search } = new URL(body.url);
        const leaveTo = origin && (await findProviderSignOut(origin, path + search));
        response.end(JSON.stringify(leaveTo ? { url: leaveTo } : body));
      },
      send: (body: unknown) => response.end(typeof body === "object" ? JSON.stringify(body) : body),
    }) as unknown as NextApiResponse;
    let origin: ProviderSession | null = null;
    const onSignedOut = (ended: ProviderSession) => {
      origin = ended;
    };
    await NextAuth(request, response, authOptions({ address: "1.1.1.1", userAgent: "a browser", onSignedOut }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.NEXTAUTH_URL = url;
  return { url, close: () => server.close() };
}

function answerSso(address: URL, text: string): Promise<Response> {
  if (address.pathname === "/api/sso/signed-out") return Promise.resolve(signedOutRoute(new Request(address)));
  const provider = address.pathname.split("/").at(-1) ?? "";
  const request = new Request(address, { method: "POST", body: text });
  return postBackchannelLogout(request, { params: Promise.resolve({ provider }) });
}

const sendWith = (outgoing: ServerResponse) => async (answer: Response) => {
  outgoing.writeHead(answer.status, [...answer.headers].flat());
  outgoing.end(await answer.text());
};

/** For tests: a browser that keeps its cookies and does not follow redirects on its own. */
export class Browser {
  readonly #url: string;
  readonly cookies = new Map<string, string>();
  /** The provider's cookies from the last sign-in there. */
  providerCookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  async visit(address: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const body = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
    const response = await fetch(address, { redirect: "manual", headers: { cookie }, ...body });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  async csrfToken(): Promise<string> {
    return ((await (await this.visit(`${this.#url}/api/auth/csrf`)).json()) as { csrfToken: string }).csrfToken;
  }

  /**
   * Clicks the button, consents at the service, and returns to our site.
   * @returns the URL on which the user ends
   */
  async continueWith(service: string): Promise<URL> {
    const form = { csrfToken: await this.csrfToken(), callbackUrl: "/runs" };
    const away = await this.visit(`${this.#url}/api/auth/signin/${service}`, form);
    const back = await fetch(away.headers.get("location") ?? "", { redirect: "manual" });
    const end = await this.visit(back.headers.get("location") ?? "");
    return new URL(end.headers.get("location") ?? "", this.#url);
  }

  /**
   * Signs in at an OpenID provider and follows all of its redirects.
   * @returns the address on our site to which the provider redirects
   */
  async leaveFor(service: string): Promise<string> {
    const form = { csrfToken: await this.csrfToken(), callbackUrl: "/runs" };
    let next = (await this.visit(`${this.#url}/api/auth/signin/${service}`, form)).headers.get("location") ?? "";
    this.providerCookies = new Map();
    while (!next.startsWith(this.#url)) {
      const answer = await this.visitProvider(next);
      const location = answer.headers.get("location");
      if (location === null) throw new Error(`${next} answered ${answer.status}: ${await answer.text()}`);
      next = new URL(location, next).toString();
    }
    return next;
  }

  async visitProvider(address: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.providerCookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const body = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
    const answer = await fetch(address, { redirect: "manual", headers: { cookie }, ...body });
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      this.providerCookies.set(name, value);
    }
    return answer;
  }

  /** Signs out. Returns the address that next-auth's client opens. */
  async signOut(callbackUrl = "/sign-in"): Promise<URL> {
    const form = { csrfToken: await this.csrfToken(), json: "true", callbackUrl };
    const { url } = (await (await this.visit(`${this.#url}/api/auth/signout`, form)).json()) as { url: string };
    return new URL(url);
  }

  /** Follows the provider's redirect. Returns the URL on which the user ends. */
  async comeBack(address: string | URL): Promise<URL> {
    const end = await this.visit(address.toString());
    return new URL(end.headers.get("location") ?? "", this.#url);
  }

  async signInAt(service: string): Promise<URL> {
    return this.comeBack(await this.leaveFor(service));
  }

  /**
   * Sends one step of a sign-in.
   * @returns the error that the page would show, or null
   */
  async signIn(form: Record<string, string>, step = "credentials"): Promise<string | null> {
    const fields = { csrfToken: await this.csrfToken(), json: "true", ...form };
    const answer = await this.visit(`${this.#url}/api/auth/callback/${step}`, fields);
    const { url } = (await answer.json()) as { url: string };
    return new URL(url).searchParams.get("error");
  }

  /** Returns the user that the pages show for this browser. */
  async session() {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return (await findSession(new Headers({ cookie })))?.caller ?? null;
  }
}
