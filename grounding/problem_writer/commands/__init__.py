"""Household commands in plain English, read offline."""
