// Owns how a person signs a request to the functions that people call: which signature it must have, and how a function
// checks it. The person's AWS SDK signs a GetCallerIdentity request to STS. The function sends that request, and STS
// answers who signed it. Its signed headers name the function, the hash of the person's request, and a nonce, and its
// date is the time. So a signature is valid for one request to one function, once, for a few minutes.
// Source: AWS STS API Reference, "GetCallerIdentity"; IAM User Guide, "Create a signed AWS API request".
import { createHash } from 'node:crypto'
import { hostOfAws } from '../contract/partition.ts'
import type { SignedRequest } from '../contract/people.ts'
import { Refused } from '../errors.ts'

/** The only request that a person may sign. It reveals an identity and does nothing. */
export const IDENTITY_REQUEST = 'Action=GetCallerIdentity&Version=2011-06-15'
export const IDENTITY_TYPE = 'application/x-www-form-urlencoded; charset=utf-8'

/** Maximum difference in ms between the signature's time and the function's. STS itself accepts no older signature. */
export const SIGNED_WITHIN_MS = 5 * 60_000

/**
 * Address of STS in a region. Only that region's STS identifies the signer. Source: AWS General Reference, "AWS STS
 * endpoints and quotas".
 */
export function addressOfSts(region: string): string {
  return `https://${hostOfAws('sts', region)}`
}

/** Whether the address is that of the embedded AWS, which answers on its own machine only. */
export function isDeskAddress(address: string): boolean {
  return /^http:\/\/127\.0\.0\.1:\d{1,5}\/?$/.test(address)
}

/** Headers that the signature must cover. */
const MUST_BE_SIGNED = ['host', 'x-amz-date', 'x-sluice-function', 'x-sluice-nonce', 'x-sluice-word']

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=[A-Za-z0-9]{16,128}\/(\d{8})\/([a-z0-9-]{1,32})\/sts\/aws4_request, ?SignedHeaders=([a-z0-9;-]{1,500}), ?Signature=([0-9a-f]{64})$/
const DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

export interface CalledFunction {
  /** Without a version or an alias. */
  readonly arn: string
  readonly account: string
  readonly region: string
}

/** Parses a function's ARN, with or without a version or an alias. */
export function calledFunction(functionArn: string): CalledFunction {
  const parts = functionArn.split(':').slice(0, 7)
  const [, , , region = '', account = ''] = parts
  return { arn: parts.join(':'), account, region }
}

/** The headers that bind a signature to a person's request. */
export function requestHeaders(arn: string, { nonce, said }: Pick<SignedRequest, 'nonce' | 'said'>) {
  return {
    'x-sluice-function': arn,
    'x-sluice-nonce': nonce,
    'x-sluice-word': sha256(said),
  }
}

/** Headers of the request to STS. From the person come only the signature, its date and the token. */
export function identityHeaders(request: SignedRequest, { arn }: CalledFunction): Readonly<Record<string, string>> {
  return {
    authorization: request.authorization,
    'content-type': IDENTITY_TYPE,
    'x-amz-content-sha256': sha256(IDENTITY_REQUEST),
    'x-amz-date': request.date,
    ...(request.securityToken !== undefined && { 'x-amz-security-token': request.securityToken }),
    ...requestHeaders(arn, request),
  }
}

/**
 * Checks that the signature's form binds it to this request, this function and this time. Only STS can say who signed,
 * and whether the signature is valid. Returns the hash that identifies the request.
 * @throws Refused
 */
export function assertBinds({ authorization, date }: SignedRequest, { region }: CalledFunction, nowMs: number): string {
  const [, day, signedRegion, signedHeaders = '', signature = ''] = AUTHORIZATION.exec(authorization) ?? []
  if (signature === '') throw new Refused('body.authorization: expected a signature (version 4) for STS')
  if (signedRegion !== region) throw new Refused(`body.authorization: expected a signature for STS in ${region}`)
  const signed = signedHeaders.split(';')
  const unsigned = MUST_BE_SIGNED.find((name) => !signed.includes(name))
  if (unsigned !== undefined) throw new Refused(`body.authorization: expected the header ${unsigned} to be signed`)
  if (date.slice(0, 8) !== day) throw new Refused('body.date: expected the day of the signature')
  const atMs = Date.parse(date.replace(DATE, '$1-$2-$3T$4:$5:$6Z'))
  // Also refuses a date that cannot be read.
  if (!(Math.abs(nowMs - atMs) <= SIGNED_WITHIN_MS)) {
    throw new Refused(
      `body.date: expected a time within ${SIGNED_WITHIN_MS / 60_000} minutes of ${new Date(nowMs).toISOString()}: set the clock of your machine, then give the command again`,
    )
  }
  return sha256(signature)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
