import type { NodeType } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { CANVAS_KINDS } from "@/components/canvas/kinds/canvas-kinds";
import { categoryColor } from "@/components/canvas/kinds/category-color";
import { AppMark } from "@/components/features/connections/app-mark";

interface KindTileProps {
  type: NodeType;
  /** The connector whose mark is shown instead of the kind's icon. */
  app?: string | null;
  isSmall?: boolean;
}

/**
 * A 24 px tile that shows a node's kind: its icon in the kind's color, on 12% of that color. When small, only the icon.
 * A node that calls a service shows the mark of the service.
 */
export function KindTile({ type, app = null, isSmall = false }: KindTileProps) {
  const { icon: Icon, isIconTurned = false } = CANVAS_KINDS[type];
  const color = categoryColor(STEP_KINDS[type].category);
  if (app !== null) {
    return (
      <span className="kind-tile flex shrink-0" style={{ color }}>
        <AppMark connector={app} />
      </span>
    );
  }
  if (isSmall) return <Icon aria-hidden className="size-3.5 shrink-0" strokeWidth={2} style={{ color }} />;
  return (
    <span
      aria-hidden
      className="kind-tile flex size-6 shrink-0 items-center justify-center rounded-[6px]"
      style={{ color, background: `color-mix(in srgb, ${color} 12%, var(--surface))` }}
    >
      <Icon className={isIconTurned ? "size-4 rotate-180" : "size-4"} strokeWidth={1.75} />
    </span>
  );
}
