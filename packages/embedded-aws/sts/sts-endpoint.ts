// Answers the STS API on the wire (AWS Query): GetCallerIdentity, which needs no permission and returns the signer. It
// answers in XML, or in JSON on request. Source: AWS STS API Reference, "GetCallerIdentity".
import { AwsError } from '../aws-error.ts'
import type { RestEndpoint } from '../endpoint/endpoint.ts'
import { type Identity, identityOf } from '../endpoint/identity.ts'
import { isQueryOf, queryAnswer, queryRefusal } from '../endpoint/query.ts'

const OPERATION = 'GetCallerIdentity'
const VERSION = '2011-06-15'

export function stsEndpoint(account: string): RestEndpoint {
  return {
    service: 'sts',
    find(head) {
      if (!isQueryOf('sts', head)) return undefined
      const isJson = head.header('accept') === 'application/json'
      return {
        operation: OPERATION,
        bodyOf(payload) {
          const { Action, Version } = Object.fromEntries(new URLSearchParams(payload.toString()))
          if (Action === OPERATION && Version === VERSION) return {}
          throw new AwsError('InvalidAction', 'The embedded AWS supports only GetCallerIdentity of STS')
        },
        answerOf: (performed) => (isJson ? asJson(performed as Identity) : asXml(performed as Identity)),
        refusalOf: (error) =>
          isJson
            ? json({ Error: { Code: error.name, Message: error.message, Type: 'Sender' }, RequestId: 'embedded' })
            : queryRefusal('sts', error),
      }
    },
    permissionsFor: () => [],
    async perform(_operation, _body, examined) {
      if (examined === undefined) throw new AwsError('MissingAuthenticationToken', 'Nobody signed this request.', 403)
      return identityOf(examined, account)
    },
  }
}

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/'

function asJson({ accountId: Account, arn: Arn, userId: UserId }: Identity) {
  const GetCallerIdentityResult = { Account, Arn, UserId }
  return json({ GetCallerIdentityResponse: { GetCallerIdentityResult, ResponseMetadata: { RequestId: 'embedded' } } })
}

function asXml({ accountId, arn, userId }: Identity) {
  const result = `<Arn>${arn}</Arn><UserId>${userId}</UserId><Account>${accountId}</Account>`
  return queryAnswer(NAMESPACE, OPERATION, result)
}

function json(body: object) {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
