import { CircleDot, Clock, Slash } from "lucide-react";
import type { KeyObject } from "#lib/contract/web/web";
import { Chip } from "@/components/ui/chip";

const LOOKS = {
  active: { tone: "ok", icon: CircleDot, word: "Active" },
  expired: { tone: "timeout", icon: Clock, word: "Expired" },
  revoked: { tone: "idle", icon: Slash, word: "Revoked" },
} as const satisfies Record<KeyObject["status"], unknown>;

export function KeyStatusChip({ status }: { status: KeyObject["status"] }) {
  const look = LOOKS[status];
  return (
    <Chip tone={look.tone} icon={look.icon}>
      {look.word}
    </Chip>
  );
}
