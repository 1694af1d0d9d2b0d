"""What cases may set, expect and measure; what must always hold."""
