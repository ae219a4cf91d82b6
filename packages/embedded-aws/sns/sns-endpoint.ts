// Answers the SNS API on the wire (AWS Query: a form as request, XML as answer): Publish to a topic. Only the template
// creates topics.
// Source: Amazon SNS API Reference, "Publish", "Common Errors".
import { AwsError } from '../aws-error.ts'
import { isQueryOf, type RestEndpoint } from '../endpoint/endpoint.ts'
import { findText, type RequestBody, textOf } from '../endpoint/request-body.ts'
import type { Topics } from './topics.ts'

const XML = { 'content-type': 'text/xml' }

export function snsEndpoint(topics: Topics): RestEndpoint {
  return {
    service: 'sns',
    find(head) {
      if (!isQueryOf('sns', head)) return undefined
      return {
        operation: 'Publish',
        bodyOf: formOf,
        answerOf: (id) => ({ headers: XML, body: publishedXml(String(id)) }),
        refusalOf: ({ message, name }) => ({ headers: XML, body: errorXml(name, message) }),
      }
    },
    permissionsFor: (_operation, body) => [{ action: 'sns:Publish', resource: textOf(body, 'TopicArn') }],
    async perform(_operation, body) {
      const fields = { message: textOf(body, 'Message'), subject: findText(body, 'Subject') }
      return topics.publish(textOf(body, 'TopicArn'), fields)
    },
  }
}

const KNOWN = ['Action', 'Version', 'TopicArn', 'Message', 'Subject']

function formOf(payload: Buffer): RequestBody {
  const body = Object.fromEntries(new URLSearchParams(payload.toString()))
  if (body.Action !== 'Publish') throw new AwsError('InvalidAction', 'The embedded AWS supports only Publish')
  const other = Object.keys(body).find((name) => !KNOWN.includes(name))
  if (other !== undefined) throw new AwsError('InvalidParameter', `Invalid parameter: ${other} is not supported`)
  return body
}

function publishedXml(id: string): string {
  return `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>${id}</MessageId></PublishResult></PublishResponse>`
}

function errorXml(code: string, message: string): string {
  return `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error></ErrorResponse>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
