import { MessagePrimitive } from '@assistant-ui/react';
import { Attachment } from './attachment';

export function UserMessage() {
  return (
    <MessagePrimitive.Root
      className="message user"
      role="article"
      aria-label="Your message"
    >
      <div className="bubble">
        <MessagePrimitive.Parts />
        <div className="attachments">
          <MessagePrimitive.Attachments>
            {() => <Attachment />}
          </MessagePrimitive.Attachments>
        </div>
      </div>
    </MessagePrimitive.Root>
  );
}
