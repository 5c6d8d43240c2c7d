"""Lifeloom: make, train and measure assistants that know their user for months."""

__version__ = "0.1.0"
