"""Reads a model's rotary settings from the configuration that is published with it.

``read`` goes from a configuration to ``settings``; ``source`` finds keys under all their names,
``layers`` the layer that is meant, ``scaling`` how positions are stretched, ``conventions`` what
stands in the models' code alone.
"""
