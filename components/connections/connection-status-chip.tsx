import { CircleAlert, CircleDot, Clock } from "lucide-react";
import type { ConnectionStatus } from "#lib/contract/connection";
import { Chip } from "@/components/ui/chip";

const LOOKS = {
  connected: { tone: "ok", icon: CircleDot, word: "Connected" },
  expired: { tone: "timeout", icon: Clock, word: "Expired" },
  failed: { tone: "err", icon: CircleAlert, word: "Failed" },
} as const satisfies Record<ConnectionStatus, unknown>;

export function ConnectionStatusChip({ status }: { status: ConnectionStatus }) {
  const look = LOOKS[status];
  return (
    <Chip tone={look.tone} icon={look.icon}>
      {look.word}
    </Chip>
  );
}
