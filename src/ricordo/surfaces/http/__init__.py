"""The HTTP API: JSON over Starlette for the registry's tools and the reads of the Python API.

`app` puts it together, `routes` is the table that requests and the OpenAPI document are made of.
"""
