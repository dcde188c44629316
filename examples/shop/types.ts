/** What this shop stores, as `usher types` would print it. */
export interface Shop {
  user: { name: string; orders: number; last_seen_at: string }
  events: {
    order_placed: { product: string; order: string }
    page_viewed: { path: string }
  }
}
