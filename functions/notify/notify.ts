// Notify: makes a notice of one event from the queue, and sends it to one place. Each notice is sent at least once, and
// a repetition has the same id. Knows nothing of the journal, and moves no money.
import type { Clock } from '../../core/clock.ts'
import type { Notice } from '../../core/contract/notices.ts'
import {
  NoticeOutcome,
  type NoticeReport,
  type NoticeTopic,
  type PlainNotice,
  type QueuedNotice,
} from '../../core/contract/sent-notices.ts'
import { type NoticeSender, noticeOf, testNotice } from '../../core/notices/notice-of-event.ts'
import { bodyOf } from '../../core/notices/shapes.ts'
import { signatureHeaders, type WebhookTarget } from '../../core/notices/webhook-target.ts'

interface NotifyPorts {
  readonly notices: readonly Notice[]
  readonly teller: NoticeSender
  readonly clock: Pick<Clock, 'nowMs'>
  /** @throws Refused for a secret that is missing or has wrong fields, Transient */
  readonly target: (secret: string) => Promise<WebhookTarget>
  /** Resolves once the receiver has accepted it. @throws Refused, Transient */
  readonly post: (post: {
    readonly url: URL
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }) => Promise<void>
  /** @throws OwnFault, Transient */
  readonly publish: (topic: NoticeTopic, notice: PlainNotice) => Promise<void>
}

/** @throws Refused, OwnFault, Transient; the queue then delivers the message again */
export async function notify({ notice: name, event }: QueuedNotice, ports: NotifyPorts): Promise<NoticeReport> {
  const config = ports.notices.find((each) => each.name === name)
  if (config === undefined) return { outcome: NoticeOutcome.NotConfigured, notice: name }
  const content = noticeOf({ event }, config, ports.teller)
  if (content === undefined) return { outcome: NoticeOutcome.NotAbout, notice: name }
  await send(config, content, ports)
  return { outcome: NoticeOutcome.Delivered, notice: name }
}

/** Sends a notice that is marked as a test. @throws as `notify` does */
export async function notifyTest(
  { id, notice: name }: { readonly id: string; readonly notice: string },
  ports: NotifyPorts,
): Promise<NoticeReport> {
  const config = ports.notices.find((each) => each.name === name)
  if (config === undefined) return { outcome: NoticeOutcome.NotConfigured, notice: name }
  const at = new Date(ports.clock.nowMs()).toISOString()
  await send(config, testNotice({ id, at }, config, ports.teller), ports)
  return { outcome: NoticeOutcome.Delivered, notice: name }
}

async function send({ name, to }: Notice, content: PlainNotice, ports: NotifyPorts): Promise<void> {
  if (to.webhook === undefined) return ports.publish({ name, topicArn: to.topicArn }, content)
  const { url, signWith } = await ports.target(to.webhook.secret)
  const body = bodyOf(content, to.webhook.shape)
  await ports.post({
    url,
    body,
    headers: signatureHeaders({ id: content.id, nowMs: ports.clock.nowMs(), body }, signWith),
  })
}
