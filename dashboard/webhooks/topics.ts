import { type NotificationTopic, notificationTopics, TRACKED, topicMatches } from '../../contract/topics.ts'

const userTopics = (Object.keys(notificationTopics) as NotificationTopic[]).filter((topic) => topic.startsWith('user.'))

export type TopicNode = { topic: string; label: string; about: string; children: TopicNode[] }

/** `*`, then what is below it; under `event.tracked` the names that were seen. */
export function topicTree(eventNames: string[]): TopicNode {
  const names = eventNames.map((name) => leaf(`${TRACKED}.${name}`, name, ''))
  return {
    topic: '*',
    label: 'Everything',
    about: 'also what is added later',
    children: [
      {
        topic: 'user',
        label: 'user',
        about: 'every change of a user',
        children: userTopics.map((topic) => leaf(topic, topic, notificationTopics[topic].summary)),
      },
      { topic: TRACKED, label: TRACKED, about: 'every event', children: names },
    ],
  }
}

const leaf = (topic: string, label: string, about: string): TopicNode => ({ topic, label, about, children: [] })

/** Whether a topic is chosen by itself or through one above it. */
export function covers(chosen: string[], topic: string): boolean {
  return chosen.some((one) => topicMatches(one, topic))
}

/** Choosing a topic drops those below it, which it covers. */
export function toggle(chosen: string[], topic: string): string[] {
  if (chosen.includes(topic)) return chosen.filter((one) => one !== topic)
  const rest = chosen.filter((one) => topic !== '*' && !one.startsWith(`${topic}.`))
  return [...rest, topic]
}
