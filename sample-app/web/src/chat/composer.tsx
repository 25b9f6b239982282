import {
  ComposerPrimitive,
  ThreadPrimitive,
  useAuiEvent,
} from '@assistant-ui/react';
import { useAgUiInterrupts } from '@assistant-ui/react-ag-ui';
import { useState } from 'react';
import { Attachment } from './attachment';

export function Composer() {
  const isAsked = useAgUiInterrupts().length > 0;
  const [problem, setProblem] = useState('');
  useAuiEvent('composer.attachmentAddError', ({ message }) =>
    setProblem(message),
  );
  useAuiEvent('composer.attachmentAdd', () => setProblem(''));
  return (
    <ComposerPrimitive.Root className="composer">
      <ComposerPrimitive.AttachmentDropzone className="composer-box">
        <div className="attachments">
          <ComposerPrimitive.Attachments>
            {() => <Attachment isRemovable />}
          </ComposerPrimitive.Attachments>
        </div>
        {problem !== '' && (
          <p className="composer-problem" role="alert">
            {problem} Try a smaller one, an image or a PDF.
          </p>
        )}
        <div className="composer-row">
          <ComposerPrimitive.AddAttachment
            className="icon"
            aria-label="Attach an image or a PDF"
          >
            +
          </ComposerPrimitive.AddAttachment>
          <ComposerPrimitive.Input
            rows={1}
            maxRows={8}
            autoFocus
            disabled={isAsked}
            aria-label="Message"
            placeholder={
              isAsked ? 'The agent waits for your answer' : 'Write a message'
            }
          />
          <ThreadPrimitive.If running={false}>
            <ComposerPrimitive.Send className="primary">
              Send
            </ComposerPrimitive.Send>
          </ThreadPrimitive.If>
          <ThreadPrimitive.If running>
            <ComposerPrimitive.Cancel className="primary">
              Stop
            </ComposerPrimitive.Cancel>
          </ThreadPrimitive.If>
        </div>
      </ComposerPrimitive.AttachmentDropzone>
    </ComposerPrimitive.Root>
  );
}
