/** The smallest shapes: what messages, results and attachments are made of. */

/** Any JSON value. `undefined` members are dropped when written. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A uuid, from `ports.ids`. */
export type Id = string;

/** SHA-256 in hex, from `ports.digest`. */
export type Digest = string;

/** A text block. Never sent when it is empty or only white space. */
export type Text = { type: 'text'; text: string };

/** An image or a document. The source is looked into only when the request is made (`WireMedia`). */
export type Media = { type: 'image' | 'document'; source: { readonly type: string } };

/** What a user message, an attachment or a tool result is made of. */
export type Content = Text | Media;

/** A block that a model returned: kept byte for byte, never looked into by a rule that could change it. */
export type Returned = { readonly type: string };
