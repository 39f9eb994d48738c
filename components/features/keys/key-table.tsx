"use client";

import { clsx } from "clsx";
import { ChevronRight, CircleDot, Clock, Ellipsis, Slash } from "lucide-react";
import { lazy, useState } from "react";
import { KEY_USAGE_HOURS } from "#lib/contract/key/key-usage";
import type { KeyObject } from "#lib/contract/wire/web";
import { formatCount } from "#lib/support/format/format-number";
import { useOperation } from "@/components/api/operation-hooks";
import { expiresSoon } from "@/components/features/keys/key-expiry";
import { scopesSummary } from "@/components/features/keys/key-presets";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { IconButton } from "@/components/ui/icon-button";
import { FROM_LG, FROM_SM } from "@/components/ui/lists/column-widths";
import { Table, TableCell, TableRow } from "@/components/ui/lists/table";
import { type Column, ColumnHeads } from "@/components/ui/lists/table-skeleton";
import { LazyMenu } from "@/components/ui/overlays/lazy-menu";
import { Tooltip } from "@/components/ui/tooltip";
import { RelativeTime } from "@/components/words/relative-time";

const loadMenu = () => import("@/components/features/keys/key-menu");
const KeyMenu = lazy(() => loadMenu().then((m) => ({ default: m.KeyMenu })));

export const KEY_TABLE_COLUMNS: readonly Column[] = [
  { key: "name", label: "Name", className: "w-full max-w-0" },
  { key: "prefix", label: "Key" },
  { key: "status", label: "Status", className: FROM_SM },
  { key: "scopes", label: "Access", className: FROM_SM },
  { key: "created", label: "Created", className: FROM_LG },
  { key: "used", label: "Last used", className: FROM_LG },
  { key: "hours", label: "24 hours", className: FROM_LG },
  { key: "expires", label: "Expires", className: FROM_LG },
  { key: "menu", label: "More", isLabelHidden: true, className: "w-10" },
];

interface KeyTableProps {
  keys: readonly KeyObject[];
  onOpen: (dialog: { kind: "usage" | "rotate" | "revoke"; subject: KeyObject }) => void;
}

const NO_HOURS = Array.from({ length: KEY_USAGE_HOURS }, () => 0);
const ACTIVITY_MS = 30_000;

/** Lists active keys first; revoked ones are in a collapsed section below. */
export function KeyTable({ keys, onOpen }: KeyTableProps) {
  const [isShowingRevoked, setIsShowingRevoked] = useState(false);
  const revoked = keys.filter((key) => key.status === "revoked");
  const rest = keys.filter((key) => key.status !== "revoked");
  const activity = useOperation("list_key_activity", {}, { refetchInterval: ACTIVITY_MS });
  const hours = new Map(activity.data?.data.map((one) => [one.key_id, one.hours]));
  const row = (key: KeyObject) => (
    <KeyRow key={key.key_id} subject={key} hours={hours.get(key.key_id) ?? NO_HOURS} onOpen={onOpen} />
  );
  return (
    <>
      <Table caption="API keys">
        <ColumnHeads columns={KEY_TABLE_COLUMNS} />
        <tbody>
          {rest.map(row)}
          {isShowingRevoked ? revoked.map(row) : null}
        </tbody>
      </Table>
      {rest.length === 0 && !isShowingRevoked ? (
        <p className="border-b border-border px-4 py-3 text-text-2">No active keys.</p>
      ) : null}
      {revoked.length === 0 ? null : (
        <div className="px-2 py-2">
          <Button
            variant="ghost"
            size="sm"
            aria-expanded={isShowingRevoked}
            onClick={() => setIsShowingRevoked(!isShowingRevoked)}
          >
            <ChevronRight aria-hidden className={clsx("size-3.5", isShowingRevoked && "rotate-90")} />
            {revoked.length} revoked
          </Button>
        </div>
      )}
    </>
  );
}

interface KeyRowProps {
  subject: KeyObject;
  hours: readonly number[];
  onOpen: KeyTableProps["onOpen"];
}

function KeyRow({ subject, hours, onOpen }: KeyRowProps) {
  return (
    <TableRow className={subject.status === "revoked" ? "text-text-3" : ""}>
      <TableCell className="w-full max-w-0 font-medium">
        <span className="flex min-w-0 items-center gap-2">
          <button
            type="button"
            className="min-w-0 truncate rounded-1 hover:underline"
            onClick={() => onOpen({ kind: "usage", subject })}
          >
            {subject.name}
          </button>
          {subject.status === "active" ? null : (
            <span className="sm:hidden">
              <KeyStatusChip status={subject.status} />
            </span>
          )}
        </span>
      </TableCell>
      <TableCell className="font-mono text-dense">{subject.prefix}…</TableCell>
      <TableCell className={FROM_SM}>
        <KeyStatusChip status={subject.status} />
      </TableCell>
      <TableCell className={FROM_SM}>
        <Tooltip content={subject.scopes.join(", ")}>
          <button
            type="button"
            className="cursor-help rounded-1 underline decoration-border-strong decoration-dotted underline-offset-4"
          >
            {scopesSummary(subject.scopes)}
          </button>
        </Tooltip>
      </TableCell>
      <TableCell className={FROM_LG}>
        <RelativeTime at={subject.created_at} /> by {subject.created_by}
      </TableCell>
      <TableCell className={FROM_LG}>
        {subject.last_used_at === null ? "Never" : <RelativeTime at={subject.last_used_at} />}
      </TableCell>
      <TableCell className={FROM_LG}>
        <KeySparkLine hours={hours} />
      </TableCell>
      <TableCell className={FROM_LG}>
        <Expiry subject={subject} />
      </TableCell>
      <TableCell className="w-10">
        {subject.status === "revoked" ? null : (
          <span className="flex justify-end">
            <LazyMenu
              preload={loadMenu}
              trigger={<IconButton icon={Ellipsis} size="sm" label={`More for ${subject.name}`} />}
            >
              {(menu) => <KeyMenu {...menu} subject={subject} onChoose={(kind) => onOpen({ kind, subject })} />}
            </LazyMenu>
          </span>
        )}
      </TableCell>
    </TableRow>
  );
}

function Expiry({ subject }: { subject: KeyObject }) {
  if (subject.expires_at === null) return <>Never</>;
  const isSoon = subject.status === "active" && expiresSoon(subject.expires_at, Date.now());
  return <RelativeTime at={subject.expires_at} className={isSoon ? "font-medium text-warn" : ""} />;
}

const LOOKS = {
  active: { tone: "ok", icon: CircleDot, word: "Active" },
  expired: { tone: "timeout", icon: Clock, word: "Expired" },
  revoked: { tone: "idle", icon: Slash, word: "Revoked" },
} as const satisfies Record<KeyObject["status"], unknown>;

function KeyStatusChip({ status }: { status: KeyObject["status"] }) {
  const look = LOOKS[status];
  return (
    <Chip tone={look.tone} icon={look.icon}>
      {look.word}
    </Chip>
  );
}

const HEIGHT = 18;
const BAR = 2;
const STEP = 3;

/** Shows a bar for each of the last 24 hours, scaled to the busiest hour. The text alternative says the same. */
function KeySparkLine({ hours }: { hours: readonly number[] }) {
  const sum = hours.reduce((total, count) => total + count, 0);
  const busiest = Math.max(...hours, 1);
  const words = `${formatCount(sum, "request")} in 24 hours`;
  const width = hours.length * STEP;
  return (
    <svg role="img" aria-label={words} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
      <title>{words}</title>
      {hours.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(2, Math.round((count / busiest) * HEIGHT));
        const x = index * STEP;
        const fill = count === 0 ? "var(--border-strong)" : "var(--accent)";
        return <rect key={x} x={x} y={HEIGHT - height} width={BAR} height={height} fill={fill} />;
      })}
    </svg>
  );
}
