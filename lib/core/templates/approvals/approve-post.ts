import type { TemplateObject } from "#lib/contract/workflow/template";
import { call, draw, step } from "#lib/core/templates/draw";

const answer = (id: string, name: string, isPublished: boolean) =>
  step(id, "return_output", {
    name,
    properties: [{ name: "published", type: "boolean", required: true, value: isPublished }],
  });

export const approvePost: TemplateObject = {
  template_id: "approve-post",
  name: "Approve a post",
  about: "An agent or a colleague suggests a post, and it appears in a Telegram channel after a person approves it.",
  purpose: "approvals",
  starts: "call",
  needs: ["A connection to Telegram", "The channel to post to"],
  sample_input: { text: "Version 2 is here." },
  definition: draw(
    [
      step("input", "action_input", {
        name: "Post",
        properties: [{ name: "text", type: "string", required: true }],
      }),
      step("check", "approval", { name: "Review the post", message: "{{action_input.text}}" }),
      call("post", "Post", "telegram.send_message", { chat_id: "@your_channel", text: "{{action_input.text}}" }),
      answer("published", "Published", true),
      answer("rejected", "Rejected", false),
    ],
    "input>check",
    "check.approved>post",
    "post>published",
    "check.rejected>rejected",
  ),
};
