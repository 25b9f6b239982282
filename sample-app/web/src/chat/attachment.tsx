import { AttachmentPrimitive, useAuiState } from '@assistant-ui/react';

/** A file, in the composer or in a message. */
export function Attachment({ isRemovable }: { isRemovable?: boolean }) {
  const contentType = useAuiState(({ attachment }) => attachment.contentType);
  const image = useAuiState(({ attachment }) => {
    const part = attachment.content?.find(({ type }) => type === 'image');
    return part?.type === 'image' ? part.image : undefined;
  });
  return (
    <div className="attachment">
      {image ? (
        <img src={image} alt="" />
      ) : (
        <span className="attachment-kind" aria-hidden="true">
          {contentType === 'application/pdf' ? 'PDF' : 'IMG'}
        </span>
      )}
      <AttachmentPrimitive.Name />
      {isRemovable && (
        <AttachmentPrimitive.Remove aria-label="Remove the file">
          ✕
        </AttachmentPrimitive.Remove>
      )}
    </div>
  );
}
