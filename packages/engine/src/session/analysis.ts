/** The analysis of a thread's newest request, with the best count of it that there is. */
import type { AnyAttachmentKind } from '../attachments/contract.js';
import type { Ports } from '../attachments/ports.js';
import type { AuditReport } from '../request/plan.js';
import type { ModelProfile } from '../request/model.js';
import type { Planned } from '../request/planner.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { ChainRecord } from '../transcript/records.js';
import { analyze, type Analysis, type AnalysisSource } from '../window/analyze.js';
import { countWindow } from '../window/count.js';
import { inputTokens } from '../window/usage.js';

type Source = {
  readonly planned: Pick<Planned, 'plan' | 'request'>;
  readonly audit: AuditReport;
  /** Records of a preview, which are not in the log. */
  readonly more: readonly ChainRecord[];
  readonly log: TranscriptLog;
  readonly kinds: readonly AnyAttachmentKind[];
  readonly ports: Pick<Ports, 'tokens'>;
  readonly profile: (model: string) => ModelProfile;
};

export function analysisOf({ planned, audit, more, log, kinds, ports, profile }: Source): Analysis {
  const { request } = planned;
  const again = new Set(kinds.flatMap(({ kind, again }) => (again === 'again' ? [kind] : [])));
  const record = (id: string) => more.find((one) => one.id === id) ?? log.get(id);
  return analyze({ request, audit, profile: profile(request.model), total: totalOf({ planned, more, log, ports }), again, record });
}

function totalOf({ planned, more, log, ports }: Pick<Source, 'planned' | 'more' | 'log' | 'ports'>): AnalysisSource['total'] {
  const { tokens, scale } = countWindow(log, ports.tokens);
  // What is only looked at has no count of its own.
  if (more.length > 0) return { tokens: null, by: 'estimated', scale };
  const answer = log.window.findLast((record) => record.type === 'assistant');
  const input = answer?.type === 'assistant' && answer.parent === planned.plan.head ? inputTokens(answer.message.usage) : 0;
  return input > 0 ? { tokens: input, by: 'reported', scale } : { tokens, by: 'estimated', scale };
}
