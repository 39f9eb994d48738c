import { LIMITS } from "#lib/contract/limits";
import { PLAN_LIMITS, PLANS } from "#lib/contract/workspace/plans";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatBytes, formatCount, formatNumber } from "#lib/support/format/format-number";
import { Facts } from "@/components/ui/lists/facts";
import { Table, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/lists/table";

const number = (value: number | null) => (value === null ? "no limit" : formatNumber(value));

export function PlanTable() {
  return (
    <div className="overflow-hidden rounded-3 border border-border [&_tr:last-child]:border-0">
      <Table caption="What each plan allows" isPlain>
        <TableHead>
          <TableHeader>Plan</TableHeader>
          <TableHeader>Requests per key in {formatDuration(LIMITS.rateWindowSeconds * 1_000)}</TableHeader>
          <TableHeader>Active keys</TableHeader>
          <TableHeader>Runs a month</TableHeader>
        </TableHead>
        <tbody>
          {PLANS.map((plan) => (
            <TableRow key={plan}>
              <TableCell className="font-mono text-dense">{plan}</TableCell>
              <TableCell>{number(PLAN_LIMITS[plan].requestsPerWindow)}</TableCell>
              <TableCell>{number(PLAN_LIMITS[plan].activeKeys)}</TableCell>
              <TableCell>{number(PLAN_LIMITS[plan].runsPerMonth)}</TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

export function OtherLimits() {
  return (
    <Facts
      facts={[
        {
          label: "Runs per user",
          value: `${LIMITS.runsPerUserPerHour} in a sliding hour, at most ${LIMITS.eventRunsPerUserPerHour} of them from events. Dry runs do not count`,
        },
        { label: "A step", value: `${formatDuration(LIMITS.stepTimeoutMs)} for one attempt` },
        {
          label: "A run",
          value: `${formatDuration(LIMITS.pipelineTimeoutMs)} of running time. Waiting for an approval, a delay, or a retry does not count`,
        },
        { label: "Approval", value: `${formatDuration(LIMITS.approvalExpiryMs)}, then the run times out` },
        { label: "A body", value: `${formatBytes(LIMITS.bodyBytes)}, ${formatCount(LIMITS.jsonDepth, "level")}` },
        { label: "A batch", value: `up to ${formatCount(LIMITS.batchRuns, "run")}` },
        { label: "Idempotency-Key", value: `remembered for ${formatCount(LIMITS.idempotencyKeyHours, "hour")}` },
        { label: "Prefer: wait", value: `up to ${formatCount(LIMITS.waitSecondsMax, "second")}` },
      ]}
    />
  );
}
