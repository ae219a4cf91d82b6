// Lists the kinds of events that ask for something: their detail type, how their input is read, and their words.

import * as z from 'zod/mini'
import { convertRequest } from '../../core/contract/convert.ts'
import { RequestEvent } from '../../core/contract/events.ts'
import { policyName } from '../../core/contract/fields.ts'
import { withdrawRequest } from '../../core/contract/withdraw.ts'
import type { OperationContext } from '../../place/context.ts'
import { isRequestFile, readRequest } from '../runs/run-input.ts'
import { askText, sendText } from '../words/request-words.ts'

export type TriggerKind = 'conversion' | 'withdrawal' | 'rebalance' | 'sweep'

interface EventWords {
  /** Fields of `detail`, beside its version and its id. */
  readonly fields: object
  readonly words: string
}

interface Kind {
  readonly detailType: RequestEvent
  /** Names a request of this kind in texts. */
  readonly noun: string
  /** `isNamed`: whether the input was given as an argument, and so may be the name of a policy. */
  read(input: string, isNamed: boolean, stdin: OperationContext['stdin']): Promise<EventWords>
}

const ofPolicy = z.strictObject({ policy: policyName })

async function readPolicy(input: string, isNamed: boolean, stdin: OperationContext['stdin']): Promise<EventWords> {
  const isName = isNamed && !isRequestFile(input)
  const { policy } = isName ? { policy: input } : await readRequest(input, ofPolicy, stdin)
  return { fields: { policy }, words: `run policy ${policy}` }
}

export const triggerKinds: Readonly<Record<TriggerKind, Kind>> = {
  conversion: {
    detailType: RequestEvent.Conversion,
    noun: 'conversion',
    async read(input, _isNamed, stdin) {
      const request = await readRequest(input, convertRequest, stdin)
      return { fields: { request }, words: askText(request) }
    },
  },
  withdrawal: {
    detailType: RequestEvent.Withdrawal,
    noun: 'withdrawal',
    async read(input, _isNamed, stdin) {
      const request = await readRequest(input, withdrawRequest, stdin)
      return { fields: { request }, words: sendText(request) }
    },
  },
  rebalance: { detailType: RequestEvent.Rebalance, noun: 'rebalance', read: readPolicy },
  sweep: { detailType: RequestEvent.Sweep, noun: 'sweep', read: readPolicy },
}
