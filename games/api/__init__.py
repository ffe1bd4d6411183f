"""HTTP and nothing else: requests in, services and selectors called, JSON out."""
