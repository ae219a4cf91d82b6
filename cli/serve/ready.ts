// What `sluice serve` tells when it is ready: one JSON line for programs, and lines for a person at a terminal.

import { EVENT_BUS } from '../../core/contract/events.ts'
import { printableJson } from '../../core/printable.ts'
import type { Policies } from '../../core/triggers/policy-start.ts'
import { writeCredentialsFile } from '../../operations/desk/credentials-file.ts'
import type { EmbeddedSession } from '../../operations/desk/embedded-session.ts'
import { nextStart } from '../../operations/runs/policy-rows.ts'
import type { Column } from '../../operations/words/column.ts'
import { recordLines } from '../../views/text/table.ts'
import type { CommandContext } from '../terminal/context.ts'
import { isWatched, screenWidth } from '../terminal/listing.ts'

export interface Ready {
  readonly eventsUrl: string
  readonly region: string
  /** Who puts an event signs it with the key in this file. */
  readonly credentialsFile: string
  /** Of the functions with an address of their own, which a tunnel may lead to. */
  readonly functionUrls: readonly { readonly functionName: string; readonly url: string }[]
  readonly eventBus: string
  readonly service: string | undefined
  /** Of the built-in sandbox: at this address a person makes deposits, prices and faults. */
  readonly controlUrl?: string
  /** On a terminal: a link that is good once. */
  readonly consoleUrl?: string
  readonly schedules: readonly Schedule[]
}

interface Schedule {
  readonly name: string
  readonly expression: string
  readonly zone: string
  readonly isEnabled: boolean
  /** Of a policy, in ISO-8601. */
  readonly nextStart?: string | undefined
}

export interface Served {
  /** Absent: the built-in sandbox. */
  readonly serviceUrl: string | undefined
  readonly policies: Policies
  readonly nowMs: number
}

export function readyOf({ aws, folder, sandbox }: EmbeddedSession, { nowMs, policies, serviceUrl }: Served): Ready {
  const schedules = aws.schedules.list().map(({ expression, isEnabled, name, zone }): Schedule => {
    const written = Object.hasOwn(policies, name) ? policies[name]?.schedule : undefined
    if (written === undefined) return { name, expression, zone, isEnabled }
    // As treasury.json says it, and not the tick that the embedded AWS keeps in its place.
    const { expression: ofPolicy, timeZone } = written
    return { name, expression: ofPolicy, zone: timeZone, isEnabled, nextStart: nextStart(written, nowMs) }
  })
  return {
    eventsUrl: aws.endpointUrl,
    region: aws.region,
    credentialsFile: writeCredentialsFile(folder.awsDir, aws.credentials),
    functionUrls: aws.functionUrls(),
    eventBus: EVENT_BUS,
    service: serviceUrl ?? sandbox?.baseUrl,
    ...(sandbox && { controlUrl: sandbox.controlUrl }),
    schedules,
  }
}

/** `isJsonl`: standard output is for programs, also where it is a terminal. */
export function tellReady(ready: Ready, isJsonl: boolean, context: Pick<CommandContext, 'output' | 'stdout'>): void {
  const { output } = context
  if (isJsonl || !isWatched(context)) output.data(printableJson(ready))
  else for (const line of recordLines(columnsOf(ready), ready, screenWidth(context))) output.data(line)
}

function columnsOf({ consoleUrl, controlUrl, functionUrls, schedules }: Ready): Column<Ready>[] {
  return [
    { title: 'service', text: ({ service }) => service ?? '' },
    ...(consoleUrl === undefined ? [] : [{ title: 'console', text: () => consoleUrl }]),
    { title: 'events', text: ({ eventBus, eventsUrl }) => `${eventsUrl}, bus ${eventBus}` },
    { title: 'credentials', text: ({ credentialsFile }) => credentialsFile },
    ...functionUrls.map(({ functionName, url }) => ({ title: functionName, text: () => url })),
    ...(controlUrl === undefined ? [] : [{ title: 'sandbox control', text: () => controlUrl }]),
    ...schedules.map(({ expression, isEnabled, name, nextStart: next, zone }) => ({
      title: `schedule ${name}`,
      text: () =>
        `${expression} (${zone})${next === undefined ? '' : `, next ${next}`}${isEnabled ? '' : ', disabled'}`,
    })),
  ]
}
