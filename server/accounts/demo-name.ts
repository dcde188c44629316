/** The environment of the demo application, which its page makes when it is opened for the first time. */
export const DEMO = 'Demo'
