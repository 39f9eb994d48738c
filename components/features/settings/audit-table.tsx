"use client";

import type { AuditEventObject } from "#lib/contract/workspace/workspace";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Table, TableCell, TableRow } from "@/components/ui/lists/table";
import { type Column, ColumnHeads } from "@/components/ui/lists/table-skeleton";
import { describeAction, describeActor, describeDetails, pathOfObject } from "@/components/words/audit-words";
import { RelativeTime } from "@/components/words/relative-time";

export const AUDIT_COLUMNS: readonly Column[] = [
  { key: "what", label: "What", className: "w-full max-w-0" },
  { key: "who", label: "Who" },
  { key: "when", label: "When" },
];

interface AuditTableProps {
  events: readonly AuditEventObject[];
  /** Filters the log by this actor. */
  onActor: (event: AuditEventObject) => void;
}

export function AuditTable({ events, onActor }: AuditTableProps) {
  return (
    <Table caption="Audit log">
      <ColumnHeads columns={AUDIT_COLUMNS} />
      <tbody>
        {events.map((event) => (
          <TableRow key={event.event_id}>
            <TableCell className="w-full max-w-0 py-2">
              <What event={event} />
            </TableCell>
            <TableCell className="max-w-32 sm:max-w-56">
              <span className="flex items-center gap-2">
                <button
                  type="button"
                  title={`Show all events by ${describeActor(event.actor)}`}
                  onClick={() => onActor(event)}
                  className="link min-w-0 truncate"
                >
                  {describeActor(event.actor)}
                </button>
                {event.actor.type === "api_key" ? (
                  <span className="hidden sm:inline">
                    <Badge>API key</Badge>
                  </span>
                ) : null}
              </span>
            </TableCell>
            <TableCell>
              <RelativeTime at={event.at} />
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function What({ event }: { event: AuditEventObject }) {
  const path = pathOfObject(event);
  const words = describeAction(event.action);
  const details = describeDetails(event.details);
  return (
    <>
      <span className="block truncate font-medium">
        {path === null ? (
          words
        ) : (
          <Link href={path} className="link">
            {words}
          </Link>
        )}
      </span>
      {details === "" ? null : (
        <span title={details} className="block text-dense whitespace-normal text-text-2 [overflow-wrap:anywhere]">
          {details}
        </span>
      )}
    </>
  );
}
