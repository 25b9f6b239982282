import { Injectable, Logger } from '@nestjs/common';
import { IsEmail, IsString } from 'class-validator';
import { AguiTool } from 'nestjs-agui/ai-sdk';

/** An email to be sent. */
export class Email {
  @IsEmail()
  to: string;

  @IsString()
  subject: string;

  @IsString()
  body: string;
}

/** Sends emails (into the log), after the user has agreed. */
@Injectable()
export class MailTools {
  private readonly logger = new Logger(MailTools.name);

  @AguiTool({
    name: 'send_email',
    description: 'Sends an email',
    parameters: Email,
    needsApproval: true,
  })
  send({ to, subject }: Email): string {
    this.logger.log(`"${subject}" goes to ${to}.`);
    return `Email sent to ${to}`;
  }
}
