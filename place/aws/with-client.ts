// Ends a client of AWS after the work that it was made for.

/** Resolves or rejects as the work does. */
export function withClient<Client extends { destroy(): void }, Result>(
  client: Client,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  return work(client).finally(() => client.destroy())
}
