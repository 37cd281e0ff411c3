/** The newest request of a thread, explained: audit, analysis, and the embedder's own measuring. */
import { messageOf } from '../content/message-of.js';
import { auditOf } from '../request/audit.js';
import type { AuditReport } from '../request/plan.js';
import type { Planned, RequestPlanner } from '../request/planner.js';
import { prefixFold } from '../request/sent.js';
import type { ChainRecord, Collected } from '../transcript/records.js';
import type { Analysis } from '../window/analyze.js';
import { analysisOf } from './analysis.js';
import type { ThreadOptions } from './thread-options.js';

/** A plan, and what was reported with it; `records` are those of a preview, which are not in the log. */
type Last = { readonly planned: Planned; readonly report: readonly Collected[]; readonly records: readonly ChainRecord[] };

const NO_AUDIT: AuditReport = { plan: '', entries: [], envelope: 0, characters: 0, absent: [], layer: null, reported: null };

/** Identity: which request was planned last. After a resume none was: what the window holds now stands for it. */
export class NewestRequest {
  readonly #options: ThreadOptions;
  readonly #planner: RequestPlanner;
  #last: Last | undefined;
  /** What the measuring callback did wrong, for the next report. */
  #faults: Collected[] = [];

  constructor(options: ThreadOptions, planner: RequestPlanner) {
    this.#options = options;
    this.#planner = planner;
  }

  is(last: Last): void {
    this.#last = last;
  }

  get audit(): AuditReport {
    const last = this.#known();
    return last === undefined ? NO_AUDIT : this.#auditOf(last);
  }

  get analysis(): Analysis | null {
    const last = this.#known();
    if (last === undefined) return null;
    return analysisOf({ ...this.#options, planned: last.planned, audit: this.#auditOf(last), more: last.records });
  }

  /** Hands the analysis to the embedder; a callback that throws costs a line in the next report. */
  measure(): void {
    const { measure } = this.#options.session;
    const analysis = measure === undefined ? null : this.analysis;
    if (measure === undefined || analysis === null) return;
    try {
      measure(analysis);
    } catch (error) {
      this.#faults = [{ kind: 'measure', outcome: 'failed', ms: 0, why: messageOf(error) }];
    }
  }

  /** Faults of measuring since they were last taken. */
  takeFaults(): readonly Collected[] {
    return this.#faults.splice(0);
  }

  #known(): Last | undefined {
    const prefix = this.#options.log.read(prefixFold).value;
    return this.#last ?? (prefix === null ? undefined : { planned: this.#planner.preview(prefix, []), report: [], records: [] });
  }

  #auditOf({ planned, report, records }: Last): AuditReport {
    const { log, profile } = this.#options;
    const { plan, request } = planned;
    return auditOf({ plan, request, log, profile: profile(request.model), report, more: records });
  }
}
