// How a person signs what they ask of the functions that people reach: a GetCallerIdentity request to STS, which the
// function sends and which STS answers with whose signature it is. Its signed headers name the function (and by its ARN
// the account, the region and the environment), the hash of what is asked, and a nonce; its date is the time. So a
// signature is good for these words to this function, once, for some minutes, and for nothing else. What makes the
// signature is the caller's AWS SDK; what belongs into it, and what a function holds it against, is said here.
// Source: AWS STS API Reference, "GetCallerIdentity"; IAM User Guide, "Create a signed AWS API request".
import { createHash } from 'node:crypto'
import type { SignedWord } from '../contract/people.ts'
import { Refused } from '../errors.ts'

/** The one request that a word may be signed with. It shows an identity and does nothing. */
export const IDENTITY_REQUEST = 'Action=GetCallerIdentity&Version=2011-06-15'
export const IDENTITY_TYPE = 'application/x-www-form-urlencoded; charset=utf-8'

/** How far the time of a word may be from the function's. STS itself takes no less. */
export const SPOKEN_WITHIN_MS = 5 * 60_000

/** Of a region, and never another: the one that is asked says whose word it is. Source: AWS General Reference, "AWS STS endpoints and quotas". */
export function addressOfSts(region: string): string {
  return `https://sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}

/** The embedded AWS answers on its own machine alone. */
export function isDeskAddress(address: string): boolean {
  return /^http:\/\/127\.0\.0\.1:\d{1,5}\/?$/.test(address)
}

/** Each of these must be among the headers that are signed. */
const MUST_BE_SIGNED = ['host', 'x-amz-date', 'x-sluice-function', 'x-sluice-nonce', 'x-sluice-word']

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=[A-Za-z0-9]{16,128}\/(\d{8})\/([a-z0-9-]{1,32})\/sts\/aws4_request, ?SignedHeaders=([a-z0-9;-]{1,500}), ?Signature=([0-9a-f]{64})$/
const DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

/** The function that is asked. */
export interface AskedFunction {
  /** Without a version or an alias. */
  readonly arn: string
  readonly account: string
  readonly region: string
}

/** Of a function's ARN, whether or not it names a version or an alias. */
export function askedFunction(functionArn: string): AskedFunction {
  const parts = functionArn.split(':').slice(0, 7)
  const [, , , region = '', account = ''] = parts
  return { arn: parts.join(':'), account, region }
}

/** What is signed beside what every request signs. */
export function wordHeaders(arn: string, { nonce, said }: Pick<SignedWord, 'nonce' | 'said'>) {
  return {
    'x-sluice-function': arn,
    'x-sluice-nonce': nonce,
    'x-sluice-word': sha256(said),
  }
}

/** The headers of the request to STS. Nothing in them is the speaker's but the signature, its date and the token. */
export function identityHeaders(word: SignedWord, { arn }: AskedFunction): Readonly<Record<string, string>> {
  return {
    authorization: word.authorization,
    'content-type': IDENTITY_TYPE,
    'x-amz-content-sha256': sha256(IDENTITY_REQUEST),
    'x-amz-date': word.date,
    ...(word.securityToken !== undefined && { 'x-amz-security-token': word.securityToken }),
    ...wordHeaders(arn, word),
  }
}

/**
 * Whether the signature is of a form that binds it to this word, this function and this time. Whose it is, and whether it is
 * good at all, only STS can say. Gives the hash by which the word is known. @throws Refused
 */
export function assertBinds({ authorization, date }: SignedWord, { region }: AskedFunction, nowMs: number): string {
  const [, day, signedRegion, signedHeaders = '', signature = ''] = AUTHORIZATION.exec(authorization) ?? []
  if (signature === '') throw new Refused('body.authorization: expected a signature (version 4) for STS')
  if (signedRegion !== region) throw new Refused(`body.authorization: expected a signature for STS in ${region}`)
  const signed = signedHeaders.split(';')
  const unsigned = MUST_BE_SIGNED.find((name) => !signed.includes(name))
  if (unsigned !== undefined) throw new Refused(`body.authorization: expected the header ${unsigned} to be signed`)
  if (date.slice(0, 8) !== day) throw new Refused('body.date: expected the day of the signature')
  const atMs = Date.parse(date.replace(DATE, '$1-$2-$3T$4:$5:$6Z'))
  // Also where it is no time at all.
  if (!(Math.abs(nowMs - atMs) <= SPOKEN_WITHIN_MS)) {
    throw new Refused(
      `body.date: expected a time within ${SPOKEN_WITHIN_MS / 60_000} minutes of ${new Date(nowMs).toISOString()}: set the clock of your machine, then say it again`,
    )
  }
  return sha256(signature)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
