import { Check, ClockAlert, Hand, Slash, X } from "lucide-react";
import type { ApprovalStatus } from "#lib/contract/approval/approval";
import { Chip } from "@/components/ui/chip";

const LOOKS = {
  pending: { tone: "wait", icon: Hand, word: "Waiting" },
  approved: { tone: "ok", icon: Check, word: "Approved" },
  rejected: { tone: "err", icon: X, word: "Rejected" },
  expired: { tone: "timeout", icon: ClockAlert, word: "Expired" },
  cancelled: { tone: "idle", icon: Slash, word: "No longer needed" },
} as const satisfies Record<ApprovalStatus, unknown>;

export function OutcomeChip({ status }: { status: ApprovalStatus }) {
  const { tone, icon, word } = LOOKS[status];
  return (
    <Chip tone={tone} icon={icon}>
      {word}
    </Chip>
  );
}
