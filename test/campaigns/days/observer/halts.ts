// Nothing is sent for a policy that people have halted, under any of its names.

import type { Evidence } from '../evidence.ts'
import { HALTS } from '../hands.ts'
import { firstName, nameOf, type Send } from './sends.ts'

export function judgeHalts(sends: readonly Send[], { deeds, files }: Pick<Evidence, 'deeds' | 'files'>): string[] {
  const switched = deeds
    .filter(({ path }) => path === HALTS)
    .map(({ atMs, body }) => ({ atMs, owner: firstName(String(body.policy), files), halted: body.halted === true }))
  return sends.flatMap((send) => {
    const last = switched.findLast(({ atMs, owner }) => owner === send.owner && atMs < send.atMs)
    return last?.halted ? [`halted: ${nameOf(send)} went though people had halted its policy`] : []
  })
}
