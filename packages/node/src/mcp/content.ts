/** What a server gives back, as what a model can be shown: told by its bytes, and never by what it says of itself. */
import type { Content } from '@sidenote/engine';
import type { ContentBlock, ReadResourceResult } from '@modelcontextprotocol/client';
import { mediaTypeOf } from '../files/media.js';

/** Something that a model can't be shown, for a file. */
export type Binary = { readonly type: 'binary'; readonly mediaType: string; readonly bytes: Uint8Array };
export type McpContent = Content | Binary;

/** Blocks without words are left out. */
export function contentOf(blocks: readonly ContentBlock[]): readonly McpContent[] {
  return blocks.flatMap((block): readonly McpContent[] => {
    switch (block.type) {
      case 'text':
        return textOf(block.text);
      case 'image':
      case 'audio':
        return [media(block.data, block.mimeType)];
      case 'resource':
        return resourceContent(block.resource);
      case 'resource_link':
        return textOf(
          `${block.uri}${block.title === undefined ? '' : ` (${block.title})`}${block.description === undefined ? '' : `: ${block.description}`}`,
        );
    }
  });
}

export function resourceContents({ contents }: ReadResourceResult): readonly McpContent[] {
  return contents.flatMap(resourceContent);
}

function resourceContent(resource: ReadResourceResult['contents'][number]): readonly McpContent[] {
  return 'text' in resource ? textOf(resource.text) : [media(resource.blob, resource.mimeType ?? 'application/octet-stream')];
}

function textOf(text: string): readonly Content[] {
  return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

function media(data: string, mimeType: string): McpContent {
  const bytes = Buffer.from(data, 'base64');
  const type = mediaTypeOf(bytes);
  if (type === undefined) return { type: 'binary', mediaType: mimeType, bytes };
  const source = { type: 'base64', media_type: type, data: bytes.toString('base64') };
  return { type: type === 'application/pdf' ? 'document' : 'image', source };
}
