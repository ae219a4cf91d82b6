// Reads which faults a run is to meet, and checks that its service is a sandbox. It refuses before anything is sent,
// because faults never go to a service with real money.

import { printable } from '../../../core/printable.ts'
import { nearestHint } from '../../../core/treasury/nearest-name.ts'
import { type Advice, advice, option } from '../../../place/next-step.ts'
import { unfit, usageError } from '../../../place/operation-error.ts'
import type { Settings } from '../../../place/settings.ts'
import type { RunVerb } from '../../movements/intent-id.ts'
import { FAULTS, type FaultDefinition, faultNames, pathsOf } from './fault-names.ts'

export interface FaultFlags {
  readonly aws?: true
  readonly fault?: readonly string[]
  /** Address of the control API of the sandbox that is named as the service. */
  readonly control?: string
}

export interface WantedFault extends FaultDefinition {
  readonly name: string
  readonly paths: readonly string[]
}

export interface WantedFaults {
  readonly faults: readonly WantedFault[]
  /** Absent: the control API of the built-in sandbox. */
  readonly controlUrl: string | undefined
}

const LOCAL = ['127.0.0.1', 'localhost', '[::1]']

/** Undefined where no fault was asked for. @throws OperationError (exit 2) */
export function wantedFaults(
  { aws, control, fault: names = [] }: FaultFlags,
  verb: RunVerb,
  { service }: Settings,
): WantedFaults | undefined {
  if (names.length === 0) {
    if (control === undefined) return undefined
    throw unfit(
      'control',
      advice`is for ${option('fault')}, and none was given`,
      advice`add ${option('fault')} NAME, or leave ${option('control')} out`,
    )
  }
  const faults = names.map((name) => readFault(name, verb))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) {
    throw usageError(
      'usage',
      advice`${option('fault')} ${printable(twice)}: expected once; got twice`,
      'leave one of them out',
    )
  }
  const refuse = (why: Advice, next: Advice) =>
    unfit('fault', advice`expected a sandbox as the service; ${why}; nothing was sent`, next)
  if (aws === true)
    throw refuse(
      advice`got ${option('aws')}, whose service may be real`,
      advice`leave ${option('aws')} or ${option('fault')} out`,
    )
  if (service === undefined) {
    if (control === undefined) return { faults, controlUrl: undefined }
    throw unfit(
      'control',
      advice`is for a sandbox that ${option('service')} names`,
      advice`leave ${option('control')} out`,
    )
  }
  if (control === undefined) {
    const next = advice`leave ${option('fault')} out; where it is a sandbox, add ${option('control')} URL, the controlUrl that it printed`
    throw refuse(`got the service ${service.url}, and no address of its control API`, next)
  }
  return { faults, controlUrl: readControl(control, service.url, refuse) }
}

function readFault(name: string, verb: RunVerb): WantedFault {
  const known = faultNames(verb)
  const definition = known.includes(name) ? FAULTS[name] : undefined
  if (definition !== undefined) return { ...definition, name, paths: pathsOf(definition, verb) }
  const got = Object.hasOwn(FAULTS, name) ? `${name}, which run ${verb} cannot meet` : 'another'
  throw unfit('fault', `expected one of ${known.join(', ')}; got ${got}${nearestHint(name, known)}`)
}

/**
 * The sandbox has its service and its control API at one address of this machine. A control API elsewhere would control
 * another service.
 */
function readControl(text: string, serviceUrl: string, refuse: (why: Advice, next: Advice) => Error): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const next = 'give the controlUrl that the sandbox printed, such as http://127.0.0.1:4010/_control'
  if (url?.protocol !== 'http:' || !LOCAL.includes(url.hostname)) {
    throw unfit('control', 'expected an address of this machine, with http; got something else', next)
  }
  if (url.origin === new URL(serviceUrl).origin) return text.replace(/\/+$/, '')
  throw refuse('got a control API of another address than the service', next)
}
