// Opens a gateway without functions, which only the administrator calls. Programs use it to open parts of a state
// directory between runs.
import { randomUUID } from 'node:crypto'
import { systemClock } from '../clock.ts'
import { Access } from './access.ts'
import { Callers } from './callers.ts'
import { type Credentials, usableCredentials } from './credentials.ts'
import { Gateway } from './gateway.ts'

export function administratorsGateway(region: string, credentials?: Credentials): Gateway {
  return new Gateway({
    callers: new Callers(credentials && usableCredentials(credentials)),
    region,
    nowMs: () => systemClock.nowMs(),
    access: new Access({ account: '', policies: new Map(), resourcePolicies: new Map() }),
    hook: undefined,
    newId: randomUUID,
  })
}
