"use client";

import { CircleAlert, CircleDot, CirclePause, Clock, Ellipsis } from "lucide-react";
import { lazy } from "react";
import type {
  ConnectionListener,
  ConnectionObject,
  ConnectionStatus,
  ConnectionUse,
} from "#lib/contract/connection/connection";
import { CONNECTION_TABLE_COLUMNS } from "@/components/features/connections/connection-columns";
import type { OpenConnectionDialog } from "@/components/features/connections/connection-dialogs";
import { RetryListeners } from "@/components/features/connections/retry-listeners";
import { signInAgain } from "@/components/features/connections/sign-in";
import { useCircuits, useConnectionKinds } from "@/components/features/connections/use-connections";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { FROM_LG, FROM_SM } from "@/components/ui/lists/column-widths";
import { Table, TableCell, TableRow } from "@/components/ui/lists/table";
import { ColumnHeads } from "@/components/ui/lists/table-skeleton";
import { LazyMenu } from "@/components/ui/overlays/lazy-menu";
import { RelativeTime } from "@/components/words/relative-time";

const loadMenu = () => import("@/components/features/connections/connection-menu");
const ConnectionMenu = lazy(() => loadMenu().then((m) => ({ default: m.ConnectionMenu })));

const USES_SHOWN = 2;

interface ConnectionTableProps {
  connections: readonly ConnectionObject[];
  canEdit: boolean;
  onOpen: (dialog: OpenConnectionDialog) => void;
}

export function ConnectionTable({ connections, canEdit, onOpen }: ConnectionTableProps) {
  const kinds = useConnectionKinds();
  const paused = new Set(useCircuits().map((circuit) => circuit.connection_id));
  const names = new Map(kinds.data?.data.map((kind) => [kind.connector, kind.name]));
  return (
    <Table caption="Connections">
      <ColumnHeads columns={CONNECTION_TABLE_COLUMNS} />
      <tbody>
        {connections.map((connection) => (
          <ConnectionRow
            key={connection.connection_id}
            subject={connection}
            connectorName={names.get(connection.connector) ?? connection.connector}
            isPaused={paused.has(connection.connection_id)}
            canEdit={canEdit}
            onOpen={onOpen}
          />
        ))}
      </tbody>
    </Table>
  );
}

interface ConnectionRowProps {
  subject: ConnectionObject;
  connectorName: string;
  isPaused: boolean;
  canEdit: boolean;
  onOpen: ConnectionTableProps["onOpen"];
}

function ConnectionRow({ subject, connectorName, isPaused, canEdit, onOpen }: ConnectionRowProps) {
  const hints = Object.values(subject.secret_hints);
  return (
    <TableRow>
      <TableCell className="w-full max-w-0">
        <p className="truncate font-medium">{subject.name}</p>
        {subject.last_error === null ? null : (
          <p className="truncate text-dense text-err" title={subject.last_error}>
            {subject.last_error}
          </p>
        )}
        <ListenerLines connectionId={subject.connection_id} listeners={subject.listeners} />
      </TableCell>
      <TableCell className={FROM_SM}>{connectorName}</TableCell>
      <TableCell>
        <div className="flex flex-col items-start gap-1">
          <ConnectionStatusChip status={subject.status} isPaused={isPaused} />
          {canEdit && subject.signs_in && subject.status !== "connected" ? (
            <Button size="sm" onClick={() => void signInAgain(subject.connection_id)}>
              Reconnect
            </Button>
          ) : null}
          {subject.ends_at !== null && subject.status === "connected" ? (
            <span className="text-dense text-text-3">
              Expires <RelativeTime at={subject.ends_at} />
            </span>
          ) : null}
        </div>
      </TableCell>
      <TableCell className={`${FROM_LG} font-mono text-dense`}>
        {hints.length === 0 ? "None" : hints.join(" ")}
      </TableCell>
      <TableCell className={FROM_SM}>
        {subject.last_used_at === null ? "Never" : <RelativeTime at={subject.last_used_at} />}
      </TableCell>
      <TableCell className={FROM_LG}>
        <Uses uses={subject.used_by} />
      </TableCell>
      <TableCell className="w-10">
        {canEdit ? (
          <span className="flex justify-end">
            <LazyMenu
              preload={loadMenu}
              trigger={<IconButton icon={Ellipsis} size="sm" label={`More for ${subject.name}`} />}
            >
              {(menu) => (
                <ConnectionMenu
                  {...menu}
                  hasTools={subject.connector === "mcp"}
                  onChoose={(kind) => onOpen({ kind, subject })}
                  onSignIn={subject.signs_in ? () => void signInAgain(subject.connection_id) : undefined}
                />
              )}
            </LazyMenu>
          </span>
        ) : null}
      </TableCell>
    </TableRow>
  );
}

function Uses({ uses }: { uses: readonly ConnectionUse[] }) {
  if (uses.length === 0) return <span className="text-text-3">Not used</span>;
  const more = uses.length - USES_SHOWN;
  return (
    <>
      {uses.slice(0, USES_SHOWN).map((use, index) => (
        <span key={use.workflow_id}>
          {index === 0 ? null : ", "}
          <Link href={`/workflows/${use.workflow_id}`} className="link">
            {use.name}
          </Link>
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : null}
    </>
  );
}

const LOOKS = {
  connected: { tone: "ok", icon: CircleDot, word: "Connected" },
  expired: { tone: "timeout", icon: Clock, word: "Expired" },
  failed: { tone: "err", icon: CircleAlert, word: "Failed" },
} as const satisfies Record<ConnectionStatus, unknown>;

const PAUSED = { tone: "warn", icon: CirclePause, word: "Paused" } as const;

/** @param isPaused true if calls of its connector are paused after too many failures, which takes precedence */
function ConnectionStatusChip({ status, isPaused }: { status: ConnectionStatus; isPaused: boolean }) {
  const look = isPaused && status === "connected" ? PAUSED : LOOKS[status];
  return (
    <Chip tone={look.tone} icon={look.icon}>
      {look.word}
    </Chip>
  );
}

const STATES: Record<ConnectionListener["status"], string> = {
  pending: "Setting up",
  active: "Listening for",
  failed: "Can't listen for",
};

interface ListenerLinesProps {
  connectionId: string;
  listeners: readonly ConnectionListener[];
}

/** Shows how events of a connection arrive: the service calls us, or we poll it. */
function ListenerLines({ connectionId, listeners }: ListenerLinesProps) {
  const failed = listeners.find((listener) => listener.status === "failed");
  return (
    <>
      {listeners.map(({ mode, status, error, events }) => {
        const what = events.length === 0 ? "events" : events.map((event) => event.replaceAll("_", " ")).join(", ");
        const how = status !== "active" ? "" : mode === "polling" ? " (polling)" : " (webhook)";
        return (
          <p
            key={`${mode}${events.join()}`}
            className={`text-dense ${status === "failed" ? "whitespace-normal text-err [overflow-wrap:anywhere]" : "truncate text-text-3"}`}
            title={error ?? undefined}
          >
            {STATES[status]} {what}
            {error === null ? how : `: ${error}`}
          </p>
        );
      })}
      {failed === undefined ? null : (
        <RetryListeners connectionId={connectionId} failingSince={failed.failing_since} retryAt={failed.retry_at} />
      )}
    </>
  );
}
