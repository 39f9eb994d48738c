import {
  ArrowRightFromLine,
  ArrowRightToLine,
  Braces,
  CodeXml,
  Globe,
  type LucideIcon,
  Repeat,
  Signpost,
  Sparkles,
  Split,
  Timer,
  UserCheck,
  Workflow,
  Zap,
} from "lucide-react";
import type { NodeType } from "#lib/contract/graph";
import type { NodeKind } from "@/components/canvas/kinds/node-kinds";

const ICONS: Record<NodeType, LucideIcon> = {
  action_input: ArrowRightToLine,
  trigger: Zap,
  condition: Split,
  switch: Signpost,
  loop: Repeat,
  code: CodeXml,
  sub_workflow: Workflow,
  delay: Timer,
  approval: UserCheck,
  transform: Braces,
  connector: Globe,
  llm: Sparkles,
  return_output: ArrowRightFromLine,
};

/** The 24 px tile that says of which kind a node is: its icon in the kind's colour, on 12 % of it. Small, only the icon. */
export function KindTile({ kind, isSmall = false }: { kind: NodeKind; isSmall?: boolean }) {
  const Icon = ICONS[kind.type];
  const color = `var(--k-${kind.color})`;
  if (isSmall) return <Icon aria-hidden className="size-3.5 shrink-0" strokeWidth={2} style={{ color }} />;
  return (
    <span
      aria-hidden
      className="flex size-6 shrink-0 items-center justify-center rounded-[6px]"
      style={{ color, background: `color-mix(in srgb, ${color} 12%, var(--surface))` }}
    >
      {/* Lucide's fork opens upwards; work flows down. */}
      <Icon className={kind.type === "condition" ? "size-4 rotate-180" : "size-4"} strokeWidth={1.75} />
    </span>
  );
}
