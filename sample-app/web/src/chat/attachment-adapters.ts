import {
  CompositeAttachmentAdapter,
  SimpleImageAttachmentAdapter,
  type AttachmentAdapter,
  type CompleteAttachment,
  type PendingAttachment,
} from '@assistant-ui/react';

/** Base64 needs a third more, and the sample reads requests of up to 10 MiB. */
const LARGEST = 5 * 1024 ** 2;

class ImageAdapter extends SimpleImageAttachmentAdapter {
  override add({ file }: { file: File }): Promise<PendingAttachment> {
    checkSize(file);
    return super.add({ file });
  }
}

/** Sends PDFs as they are; what becomes of them is the model's business. */
class PdfAdapter implements AttachmentAdapter {
  readonly accept = 'application/pdf';

  async add({ file }: { file: File }): Promise<PendingAttachment> {
    checkSize(file);
    return {
      id: crypto.randomUUID(),
      type: 'document',
      name: file.name,
      contentType: file.type,
      file,
      status: { type: 'requires-action', reason: 'composer-send' },
    };
  }

  async send(attachment: PendingAttachment): Promise<CompleteAttachment> {
    const { name: filename } = attachment;
    const data = await dataUrlOf(attachment.file);
    return {
      ...attachment,
      status: { type: 'complete' },
      content: [{ type: 'file', data, mimeType: this.accept, filename }],
    };
  }

  async remove(): Promise<void> {}
}

function checkSize({ name, size }: File): void {
  if (size > LARGEST) throw new Error(`${name} is larger than 5 MB.`);
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error!);
    reader.readAsDataURL(file);
  });
}

export const attachmentAdapter = new CompositeAttachmentAdapter([
  new ImageAdapter(),
  new PdfAdapter(),
]);
