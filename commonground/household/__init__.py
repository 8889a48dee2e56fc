"""Household commands planned, carried out in simulation and repaired by a heterogeneous team."""
