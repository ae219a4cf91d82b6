// What the AWS clients of a function take for credentials: those that Lambda puts into its
// environment, and nothing else. bundle.ts puts this in the place of the SDK's chain of providers
// (profiles, single sign-on, instance metadata), which is a quarter of the bundle and finds nothing there.
// Source: AWS Lambda, "Defined runtime environment variables".

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** The name and shape that the SDK's clients import. They last as long as the function's environment. */
export function defaultProvider(): () => Promise<Credentials> {
  return async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) throw new Error('the environment holds no AWS credentials')
    const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
    return AWS_SESSION_TOKEN ? { ...credentials, sessionToken: AWS_SESSION_TOKEN } : credentials
  }
}
