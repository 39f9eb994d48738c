import { Archive, CircleDot, CirclePause } from "lucide-react";
import type { ActionStatus } from "#lib/contract/action/action";
import { Chip } from "@/components/ui/chip";

const LOOKS = {
  active: { tone: "ok", icon: CircleDot, word: "Active" },
  paused: { tone: "warn", icon: CirclePause, word: "Paused" },
  archived: { tone: "idle", icon: Archive, word: "Archived" },
} as const satisfies Record<ActionStatus, unknown>;

export function ActionStatusChip({ status }: { status: ActionStatus }) {
  const look = LOOKS[status];
  return (
    <Chip tone={look.tone} icon={look.icon}>
      {look.word}
    </Chip>
  );
}
