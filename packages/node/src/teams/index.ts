export { mailboxes, type Mailboxes, type MailboxOptions, type TeamMember } from './mailboxes.js';
