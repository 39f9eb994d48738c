import { z } from "zod";
import type { OptionsLoader } from "#lib/connectors/sdk/page-options";
import { callMail } from "#lib/connectors/vendors/email/call-mail";

const answer = z.object({ folders: z.array(z.looseObject({ path: z.string(), use: z.string().nullish() })) });

export const EMAIL_OPTIONS: Readonly<Record<string, OptionsLoader>> = {
  folders: async (service) => {
    const { folders } = await callMail(service, "imap", "folders", { params: {}, answer });
    // Special uses are written as flags: \Trash.
    return {
      options: folders.map(({ path, use }) => ({ value: path, label: path, hint: use?.replace("\\", "") ?? "" })),
    };
  },
};
