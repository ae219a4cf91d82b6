// What the attention page and the halt page show, by the function of `sluice attention`. Reads only.

import { atJournal, type Everywhere, type Reader } from '../connection/journal/reader.ts'
import { findNeeds, type Needs } from './find-needs.ts'

export interface NeedsPage extends Everywhere {
  readonly needs: Needs
}

export function readNeeds(reader: Reader): Promise<NeedsPage> {
  return atJournal(reader, async (target) => ({
    needs: await findNeeds(target, { flags: reader.flags, nowMs: reader.context.clock.nowMs() }),
  }))
}

export interface HaltPage extends Everywhere {
  readonly policies: readonly string[]
}

export function readHalts(reader: Reader): Promise<HaltPage> {
  return atJournal(reader, async ({ treasury }) => ({ policies: Object.keys(treasury.policies) }))
}
