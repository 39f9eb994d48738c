import { CirclePause, CirclePlay } from "lucide-react";
import type { TriggerStatus } from "#lib/contract/trigger/trigger";
import { Chip } from "@/components/ui/chip";

/** Shows whether events start the workflow at the moment. */
export function TriggerStatusChip({ status }: { status: TriggerStatus }) {
  return status === "active" ? (
    <Chip tone="ok" icon={CirclePlay}>
      Activated
    </Chip>
  ) : (
    <Chip tone="wait" icon={CirclePause}>
      Paused
    </Chip>
  );
}
