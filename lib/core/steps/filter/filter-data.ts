import { z } from "zod";
import { conditionFields } from "#lib/core/expressions/condition-data";
import { listTemplate } from "#lib/core/steps/item-data";
import { stepSettings } from "#lib/core/steps/step-settings";

export const filterData = z.object({ ...stepSettings, items: listTemplate, ...conditionFields });
