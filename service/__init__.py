"""HTTP service: pages and an API for recording, following and judging matches."""
