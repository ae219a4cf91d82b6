// Writes a notice in the forms in which it is sent: JSON, Slack's format, and text for a person. Every name in a
// notice was cleaned here or is our own: names come from treasury.json and from people who start executions. Pure.
import { NoticeShape } from '../contract/notices.ts'
import type { PlainNotice } from '../contract/sent-notices.ts'

/** Maximum characters. An SNS subject must have fewer than 100, in ASCII. */
const MOST_SUBJECT = 99

export function bodyOf(notice: PlainNotice, shape: NoticeShape): string {
  if (shape === NoticeShape.Plain) return JSON.stringify(notice)
  // Turns off markup and previews, also in other products that accept Slack's format.
  return JSON.stringify({
    text: slackText(personText(notice)),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
  })
}

/** Escapes the three characters that Slack interprets (https://docs.slack.dev/messaging/formatting-message-text). */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function personText({ at, commands, environment, id, link, says, stage }: PlainNotice): string {
  const place = `Sluice${environment === undefined ? '' : ` ${environment}`} (${stage})`
  const next = commands.length === 0 ? [] : ['', 'What to type:', ...commands]
  const open = link === undefined ? [] : ['', 'Where your own console runs:', link]
  return [`${place}: ${says}`, ...open, ...next, '', `at ${at}, notice ${id}`].join('\n')
}

/** Subject of the mail that SNS sends. */
export function subjectOf({ environment, outcome, stage, subject }: PlainNotice): string {
  const place = `Sluice${environment === undefined ? '' : ` ${environment}`} (${stage})`
  const subjectText = subject.policy ?? subject.id ?? 'everything'
  return `${place}: ${outcome} ${subjectText}`.slice(0, MOST_SUBJECT)
}

/** Maximum characters. Our own names have at most 80. */
export const MOST_CHARACTERS = 80

/**
 * Keeps ASCII letters, digits, dashes and underscores, and replaces every other character with `?`. Cuts longer names.
 */
export function nameText(name: string): string {
  const short = [...name.slice(0, 2 * MOST_CHARACTERS)]
  const text = short.map((letter) => (/^[A-Za-z0-9_-]$/.test(letter) ? letter : '?')).join('')
  return text.length > MOST_CHARACTERS || name.length > 2 * MOST_CHARACTERS
    ? `${text.slice(0, MOST_CHARACTERS)}...`
    : text
}
