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
    title: "Colours and type",
    description: "Ink on paper; the accent is selection, focus and links, every other colour is a status or a kind.",
    content: <TokenSpecimens />,
  },
  {
    title: "Buttons",
    description: "One primary button in a view. The solid red one stands in confirmations only.",
    content: <ButtonSpecimens />,
  },
  {
    title: "Fields",
    description: "Label above, description under it, the error under the control and read with it.",
    content: <FieldSpecimens />,
  },
  {
    title: "Statuses",
    description: "Always an icon and a word; the colour repeats them.",
    content: <StatusSpecimens />,
  },
  {
    title: "Dialogs, menus and toasts",
    description: "What floats has a shadow, takes the focus where it must, and gives it back.",
    content: <FloatingSpecimens />,
  },
  {
    title: "Tables",
    description: "Rows of 34 pixels, hairlines, the whole row a link.",
    content: <ListSpecimens />,
  },
  {
    title: "Empty, failed and on its way",
    description: "What stands where nothing is yet: one sentence and one next step.",
    content: <StateSpecimens />,
  },
  {
    title: "Content",
    description: "Facts, tabs and code.",
    content: <ContentSpecimens />,
  },
];

/** Every component of the interface in every state it has, to be looked at side by side. */
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
