// Credentials that AWS does not accept, where a command of a person calls its function.
import { expect, test } from 'vitest'
import { deploymentOf } from '../../../place/aws/aws-address.ts'
import { peopleDoor } from '../../../place/aws/people-door.ts'
import { toldAws } from './reported-aws.ts'

const tell = toldAws()

test.each(['UnrecognizedClientException', 'IncompleteSignatureException', 'MissingAuthenticationTokenException'])(
  'a halt by a broken key is refused as %s, and is no defect',
  async (__type) => {
    tell({ '': { status: 403, body: { __type, message: 'The security token included in the request is invalid.' } } })
    const halting = peopleDoor(deploymentOf({})).throwSwitch({ scope: 'all', because: 'a test' } as never)
    await expect(halting).rejects.toMatchObject({ code: 'unreachable', message: expect.stringContaining('not accept') })
  },
)

test('a halt that the function refuses is refused by its name, with the reason, and is no defect', async () => {
  const FunctionUrl = process.env.AWS_ENDPOINT_URL
  const reason = { status: 400, body: { error: 'refused', message: 'because: too long; nothing was recorded' } }
  tell({
    '/url': { body: { FunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:a', FunctionUrl } },
    '': reason,
  })
  const halting = peopleDoor(deploymentOf({ environment: 'live' })).throwSwitch({
    scope: 'all',
    because: 'a test',
  } as never)
  await expect(halting).rejects.toMatchObject({
    ...{ code: 'refused', exitCode: 1 },
    message: expect.stringMatching(/^live-sluice-\S+ refused it: because: too long; nothing was recorded$/),
  })
})
