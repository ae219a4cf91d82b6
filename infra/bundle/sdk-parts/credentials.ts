// Gives a function's AWS clients their only credentials: the variables that Lambda sets. bundle.ts uses it instead of
// the SDK's chain of providers (profiles, single sign-on, instance metadata). The chain is a quarter of the bundle and
// finds nothing in Lambda. Source: AWS Lambda, "Defined runtime environment variables".

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Has the name and shape that the SDK's clients import. The credentials last as long as the function's environment. */
export function defaultProvider(): () => Promise<Credentials> {
  return async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) throw new Error('the environment holds no AWS credentials')
    const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
    return AWS_SESSION_TOKEN ? { ...credentials, sessionToken: AWS_SESSION_TOKEN } : credentials
  }
}
