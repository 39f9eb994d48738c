import type { Profile } from "next-auth";
import { z } from "zod";

const personSchema = z.object({
  id: z.number(),
  login: z.string(),
  name: z.string().nullish(),
});
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

export interface GithubPerson extends Profile {
  id: number;
  login: string;
  name: string;
  /** The primary address, if GitHub has verified it. The address in a profile can be anything. */
  verified_email: string | null;
}

/**
 * @param apiUrl API of github.com or of an Enterprise server
 * @throws Error if GitHub cannot be reached
 */
export async function fetchGithubPerson(apiUrl: string, token: string, timeoutMs: number): Promise<GithubPerson> {
  const ask = async (path: string): Promise<unknown> => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: "application/vnd.github+json",
      "user-agent": "signalbox",
    };
    const answer = await fetch(`${apiUrl}${path}`, { headers, signal: AbortSignal.timeout(timeoutMs) });
    if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to ${path}`);
    return answer.json();
  };
  const [person, emails] = await Promise.all([
    ask("/user").then((answer) => personSchema.parse(answer)),
    ask("/user/emails").then((answer) => emailsSchema.parse(answer)),
  ]);
  const primary = emails.find((candidate) => candidate.primary && candidate.verified);
  return { id: person.id, login: person.login, name: person.name ?? "", verified_email: primary?.email ?? null };
}
