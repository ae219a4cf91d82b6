// Reads what happened to intents, for the console's pages and the report of a run. It reads the journal and the
// executions.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { ConvertStep } from '../../core/contract/outcomes.ts'
import type { IntentKind } from '../../core/contract/records.ts'
import type { RunReport } from '../../core/contract/runs.ts'
import { endOf } from '../../core/journal/intent.ts'
import type { Journal } from '../../core/journal/journal.ts'
import { requestName, requestText } from '../words/request-words.ts'
import type { Attention } from './attention.ts'
import type { Fact } from './facts.ts'
import { type IntentSources, loadIntent, settledOf } from './load-intent.ts'
import type { ServiceWait } from './service-wait.ts'

/** The facts of one intent, in order. */
export interface IntentCourse {
  readonly intentId: string
  readonly kind: 'convert' | 'withdraw'
  readonly state: string
  readonly outcome?: string
  /** The reason of its end. */
  readonly why?: string
  readonly asked: string
  /** The same in a few words. */
  readonly name: string
  readonly createdAt: string
  readonly run?: string
  readonly policy?: string
  readonly movementId?: string
  readonly facts: readonly Fact[]
  readonly attention?: Attention
  /** Says which of its executions could not be read, and why. */
  readonly unread?: string
  /** Present while it waits for its end at the service. */
  readonly waits?: ServiceWait
}

/** Maximum legs whose facts are read for a page; the report has every leg. */
const MOST_LEGS_READ = 40

/** Reads the first legs of a run. A leg that has not been opened is left out. @throws Transient, Defect */
export async function readLegs(
  { legs }: Pick<RunReport, 'legs'>,
  connection: CourseSources,
): Promise<readonly IntentCourse[]> {
  const read = legs.slice(0, MOST_LEGS_READ)
  const courses = await mapBounded(read, READS_AT_ONCE, ({ intentId, leg }) =>
    readCourse(intentId, leg.kind, connection),
  )
  return courses.filter((course) => course !== undefined)
}

type CourseSources = IntentSources & { readonly journal: Pick<Journal, 'find'> }

/** Undefined until the intent is opened. @throws Transient, Defect */
export async function readCourse(
  intentId: string,
  kind: IntentKind,
  connection: CourseSources,
): Promise<IntentCourse | undefined> {
  const intent = await connection.journal.find(intentId, kind)
  if (intent === undefined) return undefined
  const { state, createdAt, ref, params } = intent
  const { outcome: kept, why } = endOf(intent)
  const { facts, attention, unread, waits } = await loadIntent(intent, connection)
  const outcome = kept ?? shownEndOf(facts)
  return {
    ...{ intentId, kind, state, createdAt, facts, asked: requestText(intent), name: requestName(intent) },
    ...(outcome !== undefined && { outcome }),
    ...(outcome !== undefined && why !== undefined && { why }),
    ...(typeof params.run === 'string' && { run: params.run }),
    ...(typeof params.policy === 'string' && { policy: params.policy }),
    ...(ref !== undefined && { movementId: ref }),
    ...(attention !== undefined && { attention }),
    ...(unread !== undefined && { unread }),
    ...(waits !== undefined && { waits }),
  }
}

/** The end that an execution has read at the service. The journal only keeps that the service accepted the movement. */
function shownEndOf(facts: readonly Fact[]): string | undefined {
  const outcome = settledOf({ facts })?.outcome
  return outcome === ConvertStep.Processing ? undefined : outcome
}
