"""Endpoints, their types and OpenAPI; guards, proxies, health, metrics and logs."""
