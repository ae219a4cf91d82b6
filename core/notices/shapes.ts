// The forms in which a notice leaves: JSON, what Slack takes, and text for a person. Pure. All that is put into them is
// spelled by name-text.ts or is ours.
import { NoticeShape } from '../contract/notices.ts'
import type { PlainNotice } from '../contract/told-notices.ts'

/** SNS: a subject has fewer than 100 characters of ASCII. */
const MOST_SUBJECT = 99

/** The body of a webhook. */
export function bodyOf(notice: PlainNotice, shape: NoticeShape): string {
  if (shape === NoticeShape.Plain) return JSON.stringify(notice)
  // Without markup and previews, whatever whoever takes Slack's form makes of them.
  return JSON.stringify({
    text: slackText(personText(notice)),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
  })
}

/** https://docs.slack.dev/messaging/formatting-message-text: these three are all that Slack reads as more than text. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Some lines for a person. */
export function personText({ at, commands, environment, id, says, stage }: PlainNotice): string {
  const place = `Sluice${environment === undefined ? '' : ` ${environment}`} (${stage})`
  const next = commands.length === 0 ? [] : ['', 'What to type:', ...commands]
  return [`${place}: ${says}`, ...next, '', `at ${at}, notice ${id}`].join('\n')
}

/** Of a mail. */
export function subjectOf({ environment, outcome, stage, subject }: PlainNotice): string {
  const place = `Sluice${environment === undefined ? '' : ` ${environment}`} (${stage})`
  const what = subject.policy ?? subject.id ?? 'everything'
  return `${place}: ${outcome} ${what}`.slice(0, MOST_SUBJECT)
}
