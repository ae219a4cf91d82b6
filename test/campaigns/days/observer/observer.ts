// Observes the simulated days. It judges what left the account by the service's ledger and the configuration alone.
// Pure. Every sentence that it returns is a broken promise, and its first word is the kind.
import type { Evidence } from '../evidence.ts'
import { judgeApprovals } from './approvals.ts'
import { judgeBounds } from './bounds.ts'
import { judgeFloors } from './floors.ts'
import { judgeHalts } from './halts.ts'
import { judgeNames } from './names.ts'
import { judgePayees } from './payees.ts'
import { judgePayouts } from './payouts.ts'
import { judgePrices } from './prices.ts'
import { judgeQuiet } from './quiet.ts'
import { readAccount } from './sends.ts'
import { judgeStranded } from './stranded.ts'

export function observe(evidence: Evidence): string[] {
  const { sends, mids } = readAccount(evidence)
  return [
    ...judgeFloors(sends),
    ...judgePrices(sends, mids),
    ...judgeApprovals(sends, mids, evidence),
    ...judgeBounds(sends, mids),
    ...judgeQuiet(sends),
    ...judgeHalts(sends, evidence),
    ...judgePayees(sends, evidence.deeds),
    ...judgePayouts(sends, evidence),
    ...judgeNames(sends, evidence.deeds),
    ...judgeStranded(sends, mids, evidence),
  ]
}
