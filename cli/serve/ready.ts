// Makes the lines that `sluice serve` prints when it is ready: one JSON line for programs, or lines for a person at a
// terminal. Writes the file of credentials that the lines name.

import { EVENT_BUS } from '../../core/contract/events.ts'
import type { Policies } from '../../core/triggers/policy-start.ts'
import { nextStart } from '../../operations/overview/policy-rows.ts'
import type { Column } from '../../operations/words/column.ts'
import { writeCredentialsFile } from '../../place/desk/desk-file.ts'
import type { EmbeddedSession } from '../../place/desk/embedded-session.ts'
import { recordLines } from '../../views/text/table.ts'
import type { CommandContext } from '../terminal/context.ts'
import { isWatched, screenWidth } from '../terminal/listing.ts'

export interface Ready {
  readonly eventsUrl: string
  readonly region: string
  /** Events are signed with the key in this file. */
  readonly credentialsFile: string
  /** The functions with an address of their own. A tunnel may lead there. */
  readonly functionUrls: readonly { readonly functionName: string; readonly url: string }[]
  readonly eventBus: string
  readonly service: string | undefined
  /** Present for the built-in sandbox. Deposits, prices and faults are made at this address. */
  readonly controlUrl?: string
  /** On a terminal: a link that works once. */
  readonly consoleUrl?: string
  readonly schedules: readonly Schedule[]
}

interface Schedule {
  readonly name: string
  readonly expression: string
  readonly zone: string
  readonly isEnabled: boolean
  /** ISO-8601. Present for the schedule of a policy. */
  readonly nextStart?: string | undefined
}

interface Served {
  /** Undefined for the built-in sandbox. */
  readonly serviceUrl: string | undefined
  readonly policies: Policies
  readonly nowMs: number
}

export function readyOf({ aws, folder, sandbox }: EmbeddedSession, { nowMs, policies, serviceUrl }: Served): Ready {
  const schedules = aws.schedules.list().map(({ expression, isEnabled, name, zone }): Schedule => {
    const written = Object.hasOwn(policies, name) ? policies[name]?.schedule : undefined
    if (written === undefined) return { name, expression, zone, isEnabled }
    // Shows the schedule of treasury.json, and not the tick that the embedded AWS keeps in its place.
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

/** `isJsonl`: standard output is for programs, even on a terminal. */
export function printReady(ready: Ready, isJsonl: boolean, context: Pick<CommandContext, 'output' | 'stdout'>): void {
  const { output } = context
  if (isJsonl || !isWatched(context)) output.facts(ready)
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
