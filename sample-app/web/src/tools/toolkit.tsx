import type { Toolkit } from '@assistant-ui/react';
import { changeBackground } from './change-background';
import { chooseOption } from './choose-option';

/** The page's tools, which are offered to the agent with every run. */
export const toolkit: Toolkit = {
  change_background: changeBackground,
  choose_option: chooseOption,
};
