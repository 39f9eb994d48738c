import { WidgetType } from "@codemirror/view";
import { type ChipFacts, chipParts, chipTitle } from "@/components/canvas/expressions/editor/chip-facts";

/** Draws a reference as one element that the caret can't enter. */
export class ChipWidget extends WidgetType {
  readonly source: string;
  readonly facts: ChipFacts;
  readonly isSelected: boolean;

  constructor({ source, facts, isSelected }: Pick<ChipWidget, "source" | "facts" | "isSelected">) {
    super();
    this.source = source;
    this.facts = facts;
    this.isSelected = isSelected;
  }

  override eq(other: ChipWidget): boolean {
    return (
      this.source === other.source &&
      this.isSelected === other.isSelected &&
      JSON.stringify(this.facts) === JSON.stringify(other.facts)
    );
  }

  override toDOM(): HTMLElement {
    const chip = document.createElement("span");
    chip.className = "expression-chip";
    chip.title = chipTitle(this.source, this.facts);
    chip.dataset.expression = this.source;
    if (this.facts.isBroken) chip.dataset.broken = "";
    if (this.isSelected) chip.dataset.selected = "";
    for (const [className, text] of chipParts(this.facts)) {
      const part = document.createElement("span");
      part.className = className;
      part.textContent = text;
      chip.append(part);
    }
    return chip;
  }

  /** The editor handles the pointer on a chip. */
  override ignoreEvent(): boolean {
    return false;
  }
}
