// Reads what the attention page and the halt page of the console show. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import type { FirstResume } from '../../core/journal/halts.ts'
import { atJournal, type Everywhere, type Reader } from '../../place/reader.ts'
import { markOfHalt } from '../words/halt-words.ts'
import { findNeeds, type Needs } from './find-needs.ts'

export interface NeedsPage extends Everywhere {
  readonly needs: Needs
}

export function readNeeds(reader: Reader): Promise<NeedsPage> {
  return atJournal(reader, async (connection) => ({
    needs: await findNeeds(connection, { flags: reader.flags, nowMs: reader.context.clock.nowMs() }),
  }))
}

export interface HaltPage extends Everywhere {
  readonly policies: readonly string[]
  /** The first of two decisions to resume a halt, by the mark of that halt. */
  readonly firstWords: ReadonlyMap<string, FirstResume>
}

export function readHalts(reader: Reader): Promise<HaltPage> {
  return atJournal(reader, async ({ halts, haltsInForce, treasury }) => {
    const nowMs = reader.context.clock.nowMs()
    const found = await mapBounded(await haltsInForce(), READS_AT_ONCE, async (halt) => {
      const firstWord = await halts.findFirstResume(halt, nowMs)
      return firstWord === undefined ? [] : [[markOfHalt(halt), firstWord] as const]
    })
    return { policies: Object.keys(treasury.policies), firstWords: new Map(found.flat()) }
  })
}
