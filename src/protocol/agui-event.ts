import type { AGUIEvent } from '@ag-ui/core';

/** An AG-UI event: `@ag-ui/core`'s union of all of them. */
export type AguiEvent = AGUIEvent;
