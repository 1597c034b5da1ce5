"""Reads a model's rotary settings from the configuration that is published with it.

``read`` goes from a configuration to ``settings``. On the way ``layers`` finds the rotary dict of
the layers that are meant, and ``scaling`` reads how positions are stretched; ``conventions`` knows
all names of a setting, and what stands in the models' code alone.
"""
