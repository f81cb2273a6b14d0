"""Telemetry: who watches what a memory does, and OpenTelemetry as one of them."""
