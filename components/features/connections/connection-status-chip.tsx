import { CircleAlert, CircleDot, CirclePause, Clock } from "lucide-react";
import type { ConnectionStatus } from "#lib/contract/connection";
import { Chip } from "@/components/ui/chip";

const LOOKS = {
  connected: { tone: "ok", icon: CircleDot, word: "Connected" },
  expired: { tone: "timeout", icon: Clock, word: "Expired" },
  failed: { tone: "err", icon: CircleAlert, word: "Failed" },
} as const satisfies Record<ConnectionStatus, unknown>;

const PAUSED = { tone: "warn", icon: CirclePause, word: "Paused" } as const;

/** @param isPaused true if calls of its connector are paused after too many failures, which takes precedence */
export function ConnectionStatusChip({ status, isPaused }: { status: ConnectionStatus; isPaused: boolean }) {
  const look = isPaused && status === "connected" ? PAUSED : LOOKS[status];
  return (
    <Chip tone={look.tone} icon={look.icon}>
      {look.word}
    </Chip>
  );
}
