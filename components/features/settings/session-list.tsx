"use client";

import { type SessionMethod, type SessionRow, SIGN_IN_PROVIDER_NAMES } from "#lib/contract/account/account";
import { formatCount } from "#lib/support/format/format-number";
import { useOperation, useOperationMutation } from "@/components/api/operation-hooks";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { QueryView } from "@/components/ui/lists/query-view";
import { Skeleton } from "@/components/ui/lists/skeleton";
import { toast } from "@/components/ui/toast";
import { RelativeTime } from "@/components/words/relative-time";
import { describeUserAgent } from "@/components/words/user-agent";

const METHOD_WORDS: Record<SessionMethod, string> = {
  password: "a password",
  passkey: "a passkey",
  ...SIGN_IN_PROVIDER_NAMES,
};

/** Lists the user's sessions, the current one first. The user can end any other session, or all of them. */
export function SessionList() {
  const sessions = useOperation("list_sessions", {});
  const end = useOperationMutation("end_sessions", {
    invalidates: ["list_sessions", "list_account_activity"],
    onSuccess: ({ ended }) => toast(`${formatCount(ended, "session")} ended.`),
  });
  return (
    <QueryView query={sessions} skeleton={<Skeleton className="h-24" />} errorTitle="Couldn't load the sessions.">
      {({ data }) => (
        <div className="flex flex-col gap-3">
          <ul className="divide-y divide-border rounded-3 border border-border bg-surface">
            {data.map((session) => (
              <SessionItem
                key={session.session_id}
                session={session}
                isBusy={end.isPending && end.variables.session_id === session.session_id}
                onEnd={() => end.mutate({ session_id: session.session_id })}
              />
            ))}
          </ul>
          {end.error === null ? null : (
            <p role="alert" className="text-err">
              {end.error.message}
            </p>
          )}
          {data.some((session) => !session.is_current) ? (
            <div>
              <Button isBusy={end.isPending && end.variables.session_id === undefined} onClick={() => end.mutate({})}>
                Sign out other sessions
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </QueryView>
  );
}

interface SessionItemProps {
  session: SessionRow;
  isBusy: boolean;
  onEnd: () => void;
}

function SessionItem({ session, isBusy, onEnd }: SessionItemProps) {
  const browser = describeUserAgent(session.user_agent);
  const method = session.label ?? METHOD_WORDS[session.method];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2" title={session.user_agent}>
          {browser}
          {session.is_current ? <Chip tone="ok">This browser</Chip> : null}
        </p>
        <p className="text-dense text-text-2 [overflow-wrap:anywhere]">
          Signed in from {session.address} with {method}, <RelativeTime at={session.signed_in_at} />
          {session.is_current ? null : (
            <>
              ; last used <RelativeTime at={session.last_seen_at} />
            </>
          )}
        </p>
      </div>
      {session.is_current ? null : (
        <Button size="sm" isBusy={isBusy} aria-label={`Sign out of ${browser}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  );
}
