import { CopilotChat, CopilotKitProvider } from '@copilotkit/react-core/v2';
import '@copilotkit/react-core/v2/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { address } from './address.js';
import { Approval } from './approval.js';
import { ChangeBackground, ChooseOption } from './tools.js';
import { RecipePanel } from './recipe-panel.js';

const { agentId, threadId, runtimeUrl, useSingleEndpoint } = address;

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <CopilotKitProvider
      runtimeUrl={runtimeUrl}
      useSingleEndpoint={useSingleEndpoint || undefined}
    >
      <ChangeBackground />
      <ChooseOption />
      <Approval />
      {agentId === 'recipe' && <RecipePanel />}
      <CopilotChat agentId={agentId} threadId={threadId} />
    </CopilotKitProvider>
  </StrictMode>,
);
