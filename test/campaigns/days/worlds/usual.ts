// The world without malice: prices wander, crash and rally, money comes and goes, and the service sometimes fails.

import type { Hands } from '../hands.ts'
import { judge } from '../judge.ts'
import { START_MS, writeScript } from '../script.ts'
import { treasuryOf } from '../treasury.ts'
import type { World } from '../world.ts'

export const usual: World = {
  name: 'usual',
  says: 'prices wander, crash and rally, money comes and goes, an equity is split, the service is in maintenance and fails',
  startMs: START_MS,
  plot(seed, days, contact) {
    const script = writeScript(seed, days)
    return {
      file: treasuryOf({ cold: contact('cold-usdc-polygon'), supplier: contact('supplier-usdt-tron') }),
      happenings: script.events.map(({ atMs, path, body }) => ({ atMs, do: (hands) => happen(path, body, hands) })),
      expect: (evidence) => judge(evidence, script, days),
    }
  },
}

function happen(path: string, body: Readonly<Record<string, unknown>>, hands: Hands): void {
  if (path === '/rules' && body.clear === true) hands.clearRules()
  else if (path === '/spend') hands.spend(String(body.assetSymbol), Number(body.spend))
  else hands.control(path, body)
}
