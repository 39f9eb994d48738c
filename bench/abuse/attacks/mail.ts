import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { publishAction } from "#bench/abuse/make-tenants";
import { openBacklog } from "#bench/abuse/open-backlog";
import { MAIL_HABITS, type MailHabit, startMailServer } from "#bench/abuse/start-mail-server";
import { createConnection } from "#lib/domain/connections/create-connection";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";

/** The contract lets a user start 100 runs an hour. */
const RUNS = { full: 96, short: 12 };

/** Starts runs whose mail server never finishes its answer. */
export const openMail: OpenAttack = async (arena: Arena) => {
  const server = await startMailServer();
  const habits = Object.keys(MAIL_HABITS) as MailHabit[];
  for (const habit of habits) {
    const connectionId = await connectTo(arena, habit, server.ports[habit]);
    const isSending = MAIL_HABITS[habit].protocol === "smtp";
    const params = isSending ? { to: "ada@example.com", subject: "Hello", text: "Hello" } : { mailbox: "INBOX" };
    const operation = isSending ? "send" : "search";
    const data = { connector: "email", operation, connection_id: connectionId, params };
    await publishAction(arena.attacker, habit, {
      nodes: [
        node("start", "action_input", { properties: [] }),
        node("mail", "connector", data),
        node("out", "return_output", { properties: [] }),
      ],
      edges: edges("start>mail", "mail>out"),
    });
  }
  server.misbehave();
  let ended: Record<string, number> = {};
  return {
    run: async () => {
      const backlogs = await Promise.all(
        habits.map((habit) => openBacklog(arena, habit, Math.floor(RUNS[arena.size] / habits.length))),
      );
      ended = (await backlogs[0]?.countEnded()) ?? {};
    },
    facts: () => [
      fact("no run with such a server succeeds", (ended.succeeded ?? 0) === 0, `${ended.succeeded ?? 0} succeeded`),
    ],
  };
};

async function connectTo({ attacker }: Arena, habit: MailHabit, port: number): Promise<string> {
  const { workspaceId, userId, editor } = attacker;
  const { protocol } = MAIL_HABITS[habit];
  const server = {
    [`${protocol}_host`]: "127.0.0.1",
    [`${protocol}_port`]: String(port),
    [`${protocol}_security`]: "none",
  };
  const fields = { imap_port: "993", smtp_port: "465", ...server, user: "mallory@example.com", password: "secret" };
  const { connection } = await createConnection({
    workspaceId,
    userId,
    actor: editor.actor,
    connector: "email",
    auth: "mailbox",
    name: habit,
    fields,
    // The server refuses connections until the attack starts, so that the preparation does not take minutes.
    acceptFailure: true,
  });
  return connection.connection_id;
}
