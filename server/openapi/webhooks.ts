import { SIGNATURE_HEADER, SIGNATURE_TOLERANCE_SECONDS } from '../../contract/signature.ts'
import { notificationTopics, TRACKED } from '../../contract/topics.ts'
import { exampleOf, schemaRef, schemas } from './schemas.ts'
import type { OpenApiDocument, OperationObject, Schema } from './types.ts'

/** What is sent to webhook subscriptions. */
export const webhooks: OpenApiDocument['webhooks'] = Object.fromEntries(
  Object.entries(notificationTopics).map(([topic, { summary, object, description }]) => {
    const [name, example] =
      topic === TRACKED ? [`${TRACKED}.name`, `${TRACKED}.subscription_activated`] : [topic, topic]
    return [name, { post: notification(example, summary, object, description) }]
  }),
)

function notification(topic: string, summary: string, object: string, what: string): OperationObject {
  const notice = exampleOf(schemaRef('WebhookNotification')) as object
  const example = { ...notice, topic, data: { object: exampleOf(schemas[object] as Schema) } }
  return {
    operationId: `receive.${topic}`,
    tags: ['Webhooks'],
    summary,
    description: `${what} It is sent to every subscription whose topics match \`${topic}\`, as things were right then. The order is not guaranteed, and a notification may come more than once: its \`id\` stays the same.`,
    security: [],
    parameters: [
      {
        name: SIGNATURE_HEADER,
        in: 'header',
        required: true,
        description: `\`t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>", keyed with the secret of the subscription>\`, made for each attempt. Reject a \`t\` of more than ${SIGNATURE_TOLERANCE_SECONDS} seconds ago.`,
        schema: { type: 'string', pattern: '^t=\\d+,v1=[0-9a-f]{64}$' },
        example: `t=1767432600,v1=${'5257a869'.repeat(8)}`,
      },
      {
        name: 'User-Agent',
        in: 'header',
        required: true,
        description: 'The service, its version, and where it is documented.',
        schema: { type: 'string' },
        example: 'Usher/0.1.0 (+https://usher.example.com/docs)',
      },
    ],
    requestBody: {
      required: true,
      description: 'The notification, in the `api_version` of the subscription.',
      content: { 'application/json': { schema: schemaRef('WebhookNotification'), example } },
    },
    responses: {
      '2XX': {
        description:
          'Acknowledges the notification; the body is ignored. After any other status, or none within 15 seconds, it is sent again with growing intervals for 3 days.',
        content: { 'application/json': { schema: schemaRef('Acknowledgement'), example: {} } },
      },
    },
  }
}

/** The body of a receiver's answer is ignored. */
export const Acknowledgement: Schema = { description: 'Whatever the receiver answers.', examples: [{}] }
