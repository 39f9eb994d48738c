import type { ReactNode } from "react";
import { ButtonSpecimens } from "@/components/pages/design/button-specimens";
import { ContentSpecimens } from "@/components/pages/design/content-specimens";
import { FieldSpecimens } from "@/components/pages/design/field-specimens";
import { FloatingSpecimens } from "@/components/pages/design/floating-specimens";
import { ListSpecimens } from "@/components/pages/design/list-specimens";
import { StateSpecimens } from "@/components/pages/design/state-specimens";
import { StatusSpecimens } from "@/components/pages/design/status-specimens";
import { TokenSpecimens } from "@/components/pages/design/token-specimens";
import { PageHeader } from "@/components/ui/lists/page-header";
import { Section } from "@/components/ui/lists/section";

const PARTS: readonly { title: string; description: string; content: ReactNode }[] = [
  {
    title: "Colors and type",
    description: "Ink on paper; the accent is for selection, focus and links, every other color is a status or a kind.",
    content: <TokenSpecimens />,
  },
  {
    title: "Buttons",
    description: "One primary button in a view. The solid red one is for confirmations only.",
    content: <ButtonSpecimens />,
  },
  {
    title: "Fields",
    description: "Label above, description under it, the error under the control and read with it.",
    content: <FieldSpecimens />,
  },
  {
    title: "Statuses",
    description: "Always an icon and a word; the color repeats them.",
    content: <StatusSpecimens />,
  },
  {
    title: "Dialogs, menus and toasts",
    description: "Floating elements have a shadow, take the focus if they need it, and return it.",
    content: <FloatingSpecimens />,
  },
  {
    title: "Tables",
    description: "Rows of 34 pixels, hairlines, the whole row a link.",
    content: <ListSpecimens />,
  },
  {
    title: "Empty, failed and loading",
    description: "What an empty page shows: one sentence and one next step.",
    content: <StateSpecimens />,
  },
  {
    title: "Content",
    description: "Facts, tabs and code.",
    content: <ContentSpecimens />,
  },
];

/** Every component of the interface in every state, side by side. */
export function DesignGallery() {
  return (
    <>
      <PageHeader title="Design" />
      <div className="mx-auto flex w-full max-w-[1080px] flex-col gap-10 px-3 py-6 sm:px-6">
        {PARTS.map(({ title, description, content }) => (
          <Section key={title} title={title} description={description}>
            {content}
          </Section>
        ))}
      </div>
    </>
  );
}
