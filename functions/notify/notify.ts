// Notify: takes one event out of the queue of notices, makes a notice of it, and sends that to one place. It is sent at least
// once: a double has the same id. It knows nothing of the journal, and moves no money.
import type { Clock } from '../../core/clock.ts'
import type { Notice } from '../../core/contract/notices.ts'
import {
  NoticeOutcome,
  type NoticeReport,
  type PlainNotice,
  type QueuedNotice,
} from '../../core/contract/told-notices.ts'
import { noticeOf, type Teller, testNotice } from '../../core/notices/notice-of-event.ts'
import { bodyOf } from '../../core/notices/shapes.ts'
import { signatureHeaders } from '../../core/notices/sign.ts'
import type { WebhookTarget } from '../../core/notices/webhook-target.ts'

export interface NotifyPorts {
  readonly notices: readonly Notice[]
  readonly teller: Teller
  readonly clock: Pick<Clock, 'nowMs'>
  /** @throws Refused for a secret that is not there or does not fit, Transient */
  readonly target: (secret: string) => Promise<WebhookTarget>
  /** Resolves once the receiver has said yes. @throws Refused, Transient */
  readonly post: (post: {
    readonly url: URL
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }) => Promise<void>
  /** To the topic of the notice of this name. @throws OwnFault, Transient */
  readonly publish: (name: string, notice: PlainNotice) => Promise<void>
}

/** @throws Refused, OwnFault, Transient: then it comes out of the queue again */
export async function notify({ notice: name, event }: QueuedNotice, ports: NotifyPorts): Promise<NoticeReport> {
  const config = ports.notices.find((each) => each.name === name)
  if (config === undefined) return { outcome: NoticeOutcome.NotConfigured, notice: name }
  const told = noticeOf({ event }, config, ports.teller)
  if (told === undefined) return { outcome: NoticeOutcome.NotAbout, notice: name }
  await send(config, told, ports)
  return { outcome: NoticeOutcome.Delivered, notice: name }
}

/** Sends what says that it is a test. @throws as `notify` does */
export async function notifyTest(
  { id, notice: name }: { readonly id: string; readonly notice: string },
  ports: NotifyPorts,
): Promise<NoticeReport> {
  const config = ports.notices.find((each) => each.name === name)
  if (config === undefined) return { outcome: NoticeOutcome.NotConfigured, notice: name }
  const at = new Date(ports.clock.nowMs()).toISOString()
  await send(config, testNotice({ id, at }, name, ports.teller), ports)
  return { outcome: NoticeOutcome.Delivered, notice: name }
}

async function send({ name, to }: Notice, told: PlainNotice, ports: NotifyPorts): Promise<void> {
  if (to.webhook === undefined) return ports.publish(name, told)
  const { url, signWith } = await ports.target(to.webhook.secret)
  const body = bodyOf(told, to.webhook.shape)
  await ports.post({
    url,
    body,
    headers: signatureHeaders({ id: told.id, nowMs: ports.clock.nowMs(), body }, signWith),
  })
}
