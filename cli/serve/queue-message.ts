// The part of a dead letter that is read here.

export interface QueueMessage {
  readonly id: string
  readonly body: string
  readonly attributes: Readonly<Record<string, { readonly StringValue?: string }>>
}
