/** Tools that are not in the request: announced by name, found by search, called through a gateway or by their own names. */
import type { Source, ToolGroup } from '@sidenote/engine';
import type { AnyTool } from '../tools/tool.js';

/** `tools: null`: they can't be asked for now. */
export type DeferredGroup = { readonly name: string; readonly tools: readonly AnyTool[] | null };

/** What a session can use beside the tools of its request. It may change at any moment; the request does not. */
export interface DeferredTools {
  /** By name, whatever the order in which they became known. */
  groups(): readonly DeferredGroup[];
  /** Also for a name whose tool is not known yet, or any more, if it is clear whose it is: that tool says so. */
  find(name: string): AnyTool | undefined;
  /** Resolves when all groups were asked for the first time, after `ms`, or when aborted. */
  settled(how: { readonly ms: number; readonly signal: AbortSignal }): Promise<void>;
  /** The same for an announcement: a moment at the start of a session, and at once later. */
  atStart(signal: AbortSignal): Promise<void>;
}

/** The port of `deferred_tools_delta`. */
export function deferredToolsPort(tools: DeferredTools): Source<readonly ToolGroup[]> {
  return {
    async read(signal) {
      await tools.atStart(signal);
      const value = tools.groups().map((group) => ({ name: group.name, tools: group.tools?.map(({ spec }) => spec.name) ?? null }));
      return { type: 'ready', value, version: '' };
    },
  };
}
